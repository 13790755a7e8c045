"""Docstrings in notebooks fit into a cell."""

from grader.course.handed_out.wrapping import wrapped


def test_what_belongs_together_is_filled_and_what_stands_apart_stays_apart():
    words = "word " * 20
    source = (
        "def f(x, scale):\n"
        f'    """{words}and goes on\n    here to its end.\n\n'
        "    Args:\n"
        "        x: Tensor.\n"
        f"        scale: {words}end of it.\n"
        "        other: Short.\n"
        f"    - a point of {words[:70]}and so on\n"
        f"    aligned    {words}stays\n"
        '    """\n'
        "    return x * scale  # " + "a comment " * 9 + "\n"
    )
    made = wrapped(source)
    lines = made.split("\n")
    assert '    """' + "word " * 15 + "word" in lines  # within 88 columns
    assert "        x: Tensor." in lines and "        other: Short." in lines and '    """' in lines
    at = next(number for number, line in enumerate(lines) if line.startswith("        scale: "))
    assert lines[at + 1].startswith("            word")
    at = next(number for number, line in enumerate(lines) if line.startswith("    - a point"))
    assert lines[at + 1].startswith("      and so on")
    assert f"    aligned    {words}stays" in lines
    assert made.endswith(source[source.index("    return") :])
    assert wrapped(made) == made
