"""How a number is printed, by decimal arithmetic."""

from decimal import Decimal


def as_printed(number, decimals, way):
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    return str(exact.quantize(Decimal(1).scaleb(-decimals), rounding=way))
