"""The one error a user is meant to read."""


class InputError(ValueError):
    """Bad input, said in one line: which key, file, row or token is wrong, what was expected and what was found."""
