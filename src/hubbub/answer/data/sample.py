"""Short dialogues of our own, the two people taking turns."""

SAMPLE: tuple[tuple[str, ...], ...] = (
    (
        "my printer only prints blank pages",
        "did you check the ink?",
        "yes, it is half full",
        "then clean the heads",
    ),
    ("how do i rename a branch?", "git branch -m old new", "thanks, that did it", "you are welcome"),
    (
        "the wifi drops every few minutes",
        "which driver do you use?",
        "the one that came with it",
        "try the newer one",
    ),
    ("where do i find the log files?", "look in /var/log", "there are a lot of them", "the newest is syslog"),
    ("i cannot mount my usb stick", "what does dmesg say?", "unknown file system", "format it as fat then"),
    ("is there a way to undo a commit?", "git revert makes a new one", "and to drop it?", "git reset, but be careful"),
    ("my laptop gets very hot", "is the fan running?", "it is loud, yes", "blow the dust out of it"),
    ("sound stopped after the update", "is it muted in the mixer?", "oh, it was", "happens to all of us"),
    ("how can i see who uses the disk?", "du -sh in each folder", "that takes ages", "ncdu draws it nicely"),
    ("the screen stays black at boot", "can you reach a console?", "yes, with alt and f2", "then reinstall the driver"),
    ("which editor would you take for python?", "any that you like", "that helps a lot", "well, try two for a week"),
    ("cron does not run my script", "does it have a full path?", "no, only the name", "cron knows no paths of yours"),
)
