"""Clusters at finite inverse temperature: how soon they form, how long they last, and when they fall into one."""

from hardmax.metastability.exit_times import exit_times
from hardmax.metastability.setup import CLUSTERING, METASTABILITY, Setup, check_setup

__all__ = ["CLUSTERING", "METASTABILITY", "Setup", "check_setup", "exit_times"]
