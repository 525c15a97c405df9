"""Whether schedules and sensors start by themselves: they do, unless `GEO_AUTOMATION=off` (a UI to look around in)."""

import os

import dagster as dg

AUTOMATIC = os.environ.get("GEO_AUTOMATION", "on") != "off"
SENSORS = dg.DefaultSensorStatus.RUNNING if AUTOMATIC else dg.DefaultSensorStatus.STOPPED
SCHEDULES = dg.DefaultScheduleStatus.RUNNING if AUTOMATIC else dg.DefaultScheduleStatus.STOPPED
