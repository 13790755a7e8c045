"""Which tests go to one process together when `make test` runs several side by side."""

from pathlib import Path

import pytest

from ..conftest import BY_FIRST_PARAMETER, EACH_ALONE, LONG, TOGETHER, rank_of, share_of
from ..grading.tiers import arenas
from ..grading.tiers import test_attacks_on_each_tier as attacks

KIT = Path(__file__).parents[1]
COURSE = KIT.parent / "course"
TESTS = "tests/kit/"


def test_every_file_that_is_dealt_out_in_its_own_way_is_there():
    there = [path.name for folder in (KIT, COURSE) for path in folder.rglob("test_*.py")]
    assert [name for name in (*BY_FIRST_PARAMETER, *EACH_ALONE) if name not in there] == []
    beginnings = [name for names in (LONG, *TOGETHER.values()) for name in names]
    assert [name for name in beginnings if not any(file.startswith(name) for file in there)] == []


@pytest.mark.parametrize("name", EACH_ALONE)
def test_a_file_whose_tests_go_alone_shares_nothing_among_them(name):
    text = next(KIT.rglob(name)).read_text(encoding="utf-8")
    assert 'scope="' not in text


def test_the_tests_of_a_file_stay_together():
    assert share_of(f"{TESTS}test_one_check.py::test_a[x-y]") == share_of(f"{TESTS}test_one_check.py::test_b")
    assert share_of(f"{TESTS}test_one_check.py::test_a") != share_of(f"{TESTS}test_words.py::test_a")


def test_files_that_share_a_course_stay_together_in_whatever_folder_they_are():
    files = ("test_nbgrader_init.py", "test_nbgrader_autograde.py", "nbgrader/pushing/test_push_nbgrader.py")
    assert len({share_of(f"{TESTS}{file}::test_a") for file in files}) == 1


def test_all_tests_of_an_arena_go_to_the_process_that_graded_its_class():
    file = Path(attacks.__file__).name
    for arena in arenas.ARENAS:
        fought = [f"{TESTS}{file}::test_an_attack_got_at_nothing[{arena}-{each}]" for each in arenas.attacks_in(arena)]
        assert len({share_of(each) for each in [*fought, f"{TESTS}{file}::test_links_are_not_followed[{arena}]"]}) == 1
    links = {share_of(f"{TESTS}{file}::test_links_are_not_followed[{arena}]") for arena in arenas.ARENAS}
    assert len(links) == len(arenas.ARENAS)


def test_the_long_files_start_first():
    ranks = [rank_of(f"{TESTS}{name}::test") for name in (*LONG, "test_words.py")]
    assert ranks == sorted(set(ranks))
