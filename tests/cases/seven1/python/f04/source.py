import csv
import gzip

import numpy as np


class RatingSource:
    def __init__(self, shards):
        self.shards = list(shards)

    def rows(self):
        for shard in self.shards:
            with gzip.open(shard, "rt") as fh:
                for user, item, rating in csv.reader(fh):
                    yield (int(user), int(item)), np.float32(rating)
