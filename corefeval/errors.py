"""The one error type that bad input raises."""


class CorefError(ValueError):
    """Input that cannot be scored as it stands.

    The message says where (file, line, document, mention, entities), what was expected
    and what to do. On the command line it becomes exit code 2.
    """
