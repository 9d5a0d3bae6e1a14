"""Functions shown whole, below a line that names them and whose they are."""

from corefbook.listing import Listing
from corefbook.studies import story

from corefeval.measures import links


def test_a_listing_says_who_has_the_function():
    of_book, of_library = repr(Listing(story.nearest)), repr(Listing(links.connected))
    assert of_book.startswith("The book's `nearest`, in book/corefbook/studies/story.py")
    assert of_library.startswith("The library's `connected`, in corefeval/measures/links.py")
