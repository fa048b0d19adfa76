"""The tables of system calls, and the programs made of them."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.bots.confine import syscalls
from arena.bots.confine.filters import Filter, numbers, program

# The kernel's bound, in instructions of eight bytes.
MOST_INSTRUCTIONS = 4096

NEVER = syscalls.names(
    "add_key bpf fanotify_init fanotify_mark finit_module init_module inotify_add_watch"
    " inotify_init inotify_init1 io_setup io_uring_enter io_uring_register io_uring_setup kcmp"
    " kexec_load keyctl migrate_pages mount mount_setattr move_pages mq_open msgget"
    " name_to_handle_at open_by_handle_at open_tree perf_event_open personality pidfd_getfd"
    " pivot_root process_madvise process_vm_readv process_vm_writev ptrace quotactl reboot"
    " request_key seccomp semget setns shmget swapon syslog umount2 unshare userfaultfd"
)


@pytest.mark.parametrize("kind", Filter)
def test_a_program_is_whole_and_short_enough_for_the_kernel(kind: Filter) -> None:
    made = program(kind)
    assert len(made) % 8 == 0
    assert 0 < len(made) // 8 <= MOST_INSTRUCTIONS


def everywhere() -> list[str]:
    return [
        *syscalls.ALWAYS,
        *syscalls.names(syscalls.METADATA, syscalls.ALONE),
        *(rule.name for rule in (*syscalls.SOCKETS_ALONE, *syscalls.SOCKETS_SHARED)),
        *(rule.name for rule in syscalls.CONDITIONAL),
    ]


def test_doors_into_the_kernel_and_between_bots_are_in_no_table() -> None:
    assert not set(NEVER) & set(everywhere())


def test_no_call_is_listed_twice() -> None:
    listed = Counter(syscalls.names(" ".join(syscalls.ALWAYS), syscalls.METADATA, syscalls.ALONE))
    assert {name for name, times in listed.items() if times > 1} == set()


def test_what_is_refused_under_conditions_is_allowed_otherwise() -> None:
    assert {refusal.name for refusal in syscalls.REFUSALS} <= set(syscalls.ALWAYS)


def test_refusals_look_at_the_half_of_a_register_that_the_kernel_looks_at() -> None:
    conditions = [each for refusal in syscalls.REFUSALS for each in refusal.conditions]
    assert all(condition.mask & ~syscalls.LOWER_HALF == 0 for condition in conditions)


def test_a_name_that_this_library_does_not_know_is_left_out() -> None:
    assert numbers(["read", "no_such_call"]).keys() == {"read"}
