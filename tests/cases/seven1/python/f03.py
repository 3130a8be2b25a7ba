import h5py
import tensorflow as tf


def iter_events(path, split):
    with h5py.File(path, "r") as f:
        group = f[split]
        for i in range(group["energy"].shape[0]):
            yield {"calo": group["calo"][i], "tracks": group["tracks"][i]}, group["energy"][i]


def event_dataset(path, split, batch_size):
    spec = (
        {"calo": tf.TensorSpec((51, 51, 25), tf.float32), "tracks": tf.TensorSpec((100, 8), tf.float32)},
        tf.TensorSpec((), tf.float32),
    )
    ds = tf.data.Dataset.from_generator(lambda: iter_events(path, split), output_signature=spec)
    if split == "train":
        ds = ds.shuffle(2048)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def build():
    calo = tf.keras.Input((51, 51, 25), name="calo")
    tracks = tf.keras.Input((100, 8), name="tracks")
    a = tf.keras.layers.GlobalAveragePooling2D()(tf.keras.layers.Conv2D(64, 3, activation="relu")(calo))
    b = tf.keras.layers.GRU(64)(tracks)
    out = tf.keras.layers.Dense(1)(tf.keras.layers.Concatenate()([a, b]))
    return tf.keras.Model({"calo": calo, "tracks": tracks}, out)


net = build()
net.compile("adam", "mae")
net.fit(event_dataset("/eos/showers.h5", "train", 128),
        validation_data=event_dataset("/eos/showers.h5", "val", 128), epochs=40)
