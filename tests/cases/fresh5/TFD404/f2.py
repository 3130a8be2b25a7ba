import tensorflow as tf

SEED = 1234
HOLD_OUT = 2000


def parse(path):
    raw = tf.io.read_file(path)
    image = tf.image.resize(tf.io.decode_png(raw, channels=1), (64, 64)) / 255.0
    digit = tf.strings.to_number(tf.strings.substr(tf.strings.split(path, "/")[-1], 0, 1), tf.int32)
    return image, digit


paths = tf.data.Dataset.list_files("/data/digits/*.png", seed=SEED)
validation = paths.take(HOLD_OUT)
training = paths.skip(HOLD_OUT)

parts = {}
for name, part in {"train": training, "val": validation}.items():
    part = part.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    parts[name] = part.batch(128).prefetch(tf.data.AUTOTUNE)

net = tf.keras.Sequential([
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10),
])
net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
net.fit(parts["train"], validation_data=parts["val"], epochs=12)
