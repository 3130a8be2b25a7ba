import argparse
import functools
import glob

import tensorflow as tf

AUDIO = {"rate": 16000, "frame": 640, "hop": 160, "mels": 64}
STAGES = {
    "parse": {"num_parallel_calls": tf.data.AUTOTUNE, "deterministic": False},
    "features": {"num_parallel_calls": None},
}
SCHEMA = {"pcm": tf.io.FixedLenFeature([], tf.string), "speaker": tf.io.FixedLenFeature([], tf.int64)}


def parse(raw):
    ex = tf.io.parse_single_example(raw, SCHEMA)
    return ex["pcm"], ex["speaker"]


def log_mel(pcm, speaker, cfg, matrix):
    wave, _ = tf.audio.decode_wav(pcm, desired_channels=1, desired_samples=3 * cfg["rate"])
    stft = tf.signal.stft(wave[:, 0], cfg["frame"], cfg["hop"])
    mel = tf.tensordot(tf.abs(stft), matrix, 1)
    return tf.math.log(mel + 1e-6)[..., tf.newaxis], speaker


def speaker_batches(pattern, batch):
    files = tf.data.Dataset.from_tensor_slices(glob.glob(pattern)).shuffle(512)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=8, deterministic=False)
    ds = ds.shuffle(8192).map(parse, **STAGES["parse"])
    matrix = tf.signal.linear_to_mel_weight_matrix(AUDIO["mels"], 513, AUDIO["rate"], 80.0, 7600.0)
    step = functools.partial(log_mel, cfg=AUDIO, matrix=matrix)
    ds = ds.map(step, **STAGES["features"])
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--pattern", default="/corpora/vox/train-*.tfrecord")
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=20)
    args = ap.parse_args()
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(1251),
    ])
    opt = tf.keras.optimizers.Adam(1e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    train = speaker_batches(args.pattern, args.batch)
    for epoch in range(args.epochs):
        for x, y in train:
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
