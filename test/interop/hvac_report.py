"""A pytest plugin that tells what became of each test, as one line of JSON per test, in the file HVAC_REPORT."""
import json
import os


def reason(report):
    longrepr = report.longrepr
    if isinstance(longrepr, tuple):
        return longrepr[2]
    crash = getattr(longrepr, "reprcrash", None)
    return crash.message if crash else str(longrepr or "")


def pytest_runtest_logreport(report):
    # Set-up and tear-down count only where they go wrong.
    if report.when == "call" or report.outcome != "passed":
        write(report.nodeid, report.outcome, reason(report))


def pytest_collectreport(report):
    if report.failed:
        write(report.nodeid, "failed", str(report.longrepr))


def write(name, outcome, why):
    with open(os.environ["HVAC_REPORT"], "a", encoding="utf-8") as file:
        file.write(json.dumps({"name": name, "outcome": outcome, "reason": why}) + "\n")
