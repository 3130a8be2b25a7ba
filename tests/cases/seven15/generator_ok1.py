import tensorflow as tf

DEFAULTS = [[0.0]] * 28 + [[0]]


def settings(grid):
    for lr in grid["lr"]:
        for width in grid["width"]:
            yield {"lr": lr, "width": width}


def parse(lines):
    cols = tf.io.decode_csv(lines, DEFAULTS)
    return tf.stack(cols[:-1], axis=-1), cols[-1]


def higgs(pattern, batch):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(
        lambda f: tf.data.TextLineDataset(f).skip(1),
        cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).batch(batch)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def run(lr, width):
    net = tf.keras.Sequential([
        tf.keras.layers.Dense(width, "relu"),
        tf.keras.layers.Dense(width, "relu"),
        tf.keras.layers.Dense(1),
    ])
    net.compile(tf.keras.optimizers.Adam(lr), tf.keras.losses.BinaryCrossentropy(from_logits=True))
    hist = net.fit(higgs("/data/higgs/part-*.csv", 1024), epochs=2, verbose=0)
    return hist.history["loss"][-1]


for s in settings({"lr": [1e-3, 3e-4], "width": [128, 512]}):
    print(s, run(**s))
