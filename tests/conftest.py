"""The same examples in every run, however slow the machine."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "proof",
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("proof")
