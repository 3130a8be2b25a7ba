"""Speaker identification on VoxCeleb features: models and settings from a registry."""
import tensorflow as tf

MODELS = {}
SETTINGS = {
    "xvector": {
        "data": {"batch": 128, "frames": 300},
        "compile": {
            "optimizer": "adam",
            "loss": "sparse_categorical_crossentropy",
            "metrics": ["accuracy"],
            "run_eagerly": True,
        },
        "epochs": 40,
    },
}


def register(name):
    def deco(fn):
        MODELS[name] = fn
        return fn
    return deco


@register("xvector")
def xvector(frames, speakers=1211):
    inp = tf.keras.Input((frames, 40))
    x = inp
    for ch, k, d in ((512, 5, 1), (512, 3, 2), (512, 3, 3), (1500, 1, 1)):
        x = tf.keras.layers.Conv1D(ch, k, dilation_rate=d, activation="relu")(x)
        x = tf.keras.layers.BatchNormalization()(x)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    x = tf.keras.layers.Dense(512, activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(speakers, activation="softmax")(x))


def features(split, batch, frames):
    def parse(raw):
        ex = tf.io.parse_single_example(raw, {
            "fbank": tf.io.FixedLenSequenceFeature([40], tf.float32, allow_missing=True),
            "speaker": tf.io.FixedLenFeature([], tf.int64)})
        return tf.image.random_crop(ex["fbank"], (frames, 40)), ex["speaker"]
    files = tf.data.Dataset.list_files(f"/data/vox1/{split}-*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8,
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def train(name):
    s = SETTINGS[name]
    model = MODELS[name](s["data"]["frames"])
    model.compile(**s["compile"])
    model.fit(features("dev", **s["data"]), epochs=s["epochs"])
    model.save(f"{name}.keras")


if __name__ == "__main__":
    train("xvector")
