"""The built book as a site."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import built


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, *args):
        """A tab that is closed breaks off what it was sent."""


@contextmanager
def served(handler: type[Quiet] = Quiet) -> Iterator[str]:
    """The site's address while it is served."""
    pages = built.ROOT / "book" / "_build" / "html"
    server = Server(("127.0.0.1", 0), partial(handler, directory=pages))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
