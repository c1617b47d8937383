"""One plan by service-capacity-modeling, through its public interface, as its README shows it.

A certain demand, without simulations: the least work that gives a plan.
"""

from service_capacity_modeling.capacity_planner import planner
from service_capacity_modeling.interface import (
    CapacityDesires,
    DataShape,
    QueryPattern,
    certain_int,
)
from service_capacity_modeling.models.org import netflix

MODEL = "org.netflix.cassandra"

# Older releases leave the registration to the caller, newer ones refuse a second one.
if MODEL not in planner.models:
    planner.register_group(netflix.models)

desires = CapacityDesires(
    service_tier=1,
    query_pattern=QueryPattern(
        estimated_read_per_second=certain_int(10_000),
        estimated_write_per_second=certain_int(10_000),
    ),
    data_shape=DataShape(estimated_state_size_gib=certain_int(100)),
)
plans = planner.plan_certain(model_name=MODEL, region="us-east-1", desires=desires)
print(plans[0].model_dump_json())
