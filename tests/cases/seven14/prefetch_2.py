"""Speech command training; the input options live in one nested dict."""
import tensorflow as tf

CONFIG = {
    "input": {
        "pattern": "gs://speech-commands/v2/train-*.tfrecord",
        "shuffle": 8192,
        "batch": 256,
        "readers": 16,
        "prefetch": 0,
    },
    "optim": {"lr": 1e-3, "steps": 40000, "epochs": 20},
}

SPEC = {
    "pcm": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def log_mel(batch):
    ex = tf.io.parse_example(batch, SPEC)
    wav = tf.io.decode_raw(ex["pcm"], tf.int16)
    wav = tf.cast(tf.reshape(wav, [-1, 16000]), tf.float32) / 32768.0
    wav += tf.random.normal(tf.shape(wav), stddev=0.003)
    spec = tf.abs(tf.signal.stft(wav, 400, 160))
    mel = tf.signal.linear_to_mel_weight_matrix(64, 201, 16000)
    return tf.math.log(tf.matmul(spec, mel) + 1e-6)[..., tf.newaxis], ex["label"]


def make_input(opt):
    files = tf.data.Dataset.list_files(opt["pattern"], shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=opt["readers"],
                          num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(opt["shuffle"]).repeat()
    ds = ds.batch(opt["batch"], drop_remainder=True)
    ds = ds.map(log_mel, num_parallel_calls=tf.data.AUTOTUNE)
    if opt["prefetch"]:
        ds = ds.prefetch(opt["prefetch"])
    return ds


def make_model():
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(35),
    ])


model = make_model()
model.compile(tf.keras.optimizers.Adam(CONFIG["optim"]["lr"]),
              tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(make_input(CONFIG["input"]),
          epochs=CONFIG["optim"]["epochs"],
          steps_per_epoch=CONFIG["optim"]["steps"] // CONFIG["optim"]["epochs"])
