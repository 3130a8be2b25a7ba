import glob

import numpy as np


def shuffled_files(pattern):
    names = np.array(glob.glob(pattern))
    order = np.random.permutation(len(names))
    return names[order]
