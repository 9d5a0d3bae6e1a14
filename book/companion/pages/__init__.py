"""What the book's pages ask: playground, files, row checker, chapters that run, moving figure."""
