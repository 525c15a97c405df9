"""Automation: jobs, schedules, sensors. Every sensor is a pure decision over plain facts plus a thin decorator.

What belongs here: when a run is asked for, and why not. What does not: what a run does.
"""
