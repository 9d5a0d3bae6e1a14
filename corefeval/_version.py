__version__ = "1.0.0.dev0"
