"""How legible the text of a page is: the contrast of every piece of it to what is behind it."""

from ..support.browsers import Page

PIECES = """((box, page) => {
    const parse = text => text.match(/[\\d.]+/g).map(Number);
    const behind = node => {
        for (; node; node = node.parentElement) {
            const ground = parse(getComputedStyle(node).backgroundColor);
            if (ground.length < 4 || ground[3] === 1) return ground.slice(0, 3);
        }
        return parse(page);
    };
    const seen = [];
    for (const node of box.querySelectorAll('*')) {
        const own = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
        if (!own) continue;
        let opacity = 1;
        for (let above = node; above !== box.parentElement; above = above.parentElement)
            opacity *= Number(getComputedStyle(above).opacity);
        const text = parse(getComputedStyle(node).color), ground = behind(node);
        const alpha = (text.length > 3 ? text[3] : 1) * opacity;
        const mixed = text.slice(0, 3).map((part, i) => part * alpha + ground[i] * (1 - alpha));
        seen.push([mixed, ground]);
    }
    return seen;
})"""


def contrasts(page: Page, box: str, ground: str = "'rgb(255, 255, 255)'") -> list[float]:
    """Return the contrast of every piece of text in a box to its ground.

    Args:
        page: Where it is shown.
        box: The box, as an expression of JavaScript.
        ground: The colour behind everything, as an expression of JavaScript whose value is `rgb(...)`.
    """
    return [contrast(text, behind) for text, behind in page.value(f"{PIECES}({box}, {ground})")]


def contrast(first: list[float], second: list[float]) -> float:
    """Return the contrast of two colours as WCAG 2 defines it, from 1 to 21."""

    def luminance(colour: list[float]) -> float:
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
