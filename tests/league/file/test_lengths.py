"""Keys of league.toml about its length that contradict each other."""

from __future__ import annotations

from pathlib import Path

from tests.league.file.test_reading import REST, league, problems


def test_rules_that_would_end_it_after_its_end_are_refused(tmp_path: Path) -> None:
    stop = f"[stop]\nsets = 101\n{REST}"
    told = (
        "`sets` of [stop] is 101, and the league is over after {}: leave it out, write {} or less"
        " there, or sets = 101 or more at the top of the file"
    )
    assert problems(tmp_path, f'game = "nyet"\n{stop}') == [told.format(100, 100)]
    assert problems(tmp_path, f'game = "nyet"\nsets = 9\n{stop}') == [told.format(9, 9)]
    league(tmp_path, f'game = "nyet"\nsets = 101\n{stop}')
    league(tmp_path, f'game = "nyet"\nformat = "ladder"\n{stop}')
    league(tmp_path, f'game = "nyet"\nsets_per_line_up = 9\n{stop}')


def test_a_wave_of_a_knockout_is_no_longer_than_its_ties(tmp_path: Path) -> None:
    knockout = 'game = "nyet"\nformat = "knockout"\n'
    assert problems(tmp_path, f"{knockout}sets_per_table = 17\n{REST}") == [
        "`sets_per_table` is 17, and `most_sets_per_tie` is 16: no tie plays more than that; write"
        " sets_per_table = 16 or less, or most_sets_per_tie = 17 or more"
    ]
    league(tmp_path, f"{knockout}sets_per_table = 17\nmost_sets_per_tie = 17\n{REST}")
    league(tmp_path, f'game = "nyet"\nformat = "swiss"\nsets_per_table = 17\n{REST}')
