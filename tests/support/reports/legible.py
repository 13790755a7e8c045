"""How legible a text is: the contrast of its colour to the one behind it."""


def contrast(first: list[float], second: list[float]) -> float:
    """Return the contrast of two colours as WCAG 2 defines it, from 1 to 21."""

    def luminance(colour: list[float]) -> float:
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
