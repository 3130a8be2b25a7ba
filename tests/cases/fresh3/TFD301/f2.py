from functools import partial, reduce

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def decode(item, side):
    image = tf.io.decode_image(item["data"], channels=3, expand_animations=False)
    image = tf.image.resize(image, (side, side), antialias=True)
    return {"image": image / 255.0, "score": item["score"]}


def read(item):
    return {"data": tf.io.read_file(item["path"]), "score": item["score"]}


paths = sorted(tf.io.gfile.glob("aesthetics/*.png"))
scores = [float(p.split("_")[-1][:-4]) for p in paths]
steps = [
    lambda ds: ds.map(read, num_parallel_calls=AUTO),
    lambda ds: ds.cache("/tmp/aesthetics"),
    lambda ds: ds.shuffle(len(paths)),
    lambda ds: ds.map(partial(decode, side=192), num_parallel_calls=AUTO),
    lambda ds: ds.batch(32).prefetch(AUTO),
]
train = reduce(lambda ds, step: step(ds), steps, tf.data.Dataset.from_tensor_slices({"path": paths, "score": scores}))

net = tf.keras.Sequential([tf.keras.layers.Conv2D(16, 3), tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()
for epoch in range(15):
    for item in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(net(item["image"])[:, 0] - item["score"]))
        grads = tape.gradient(loss, net.trainable_variables)
        opt.apply_gradients(zip(grads, net.trainable_variables))
