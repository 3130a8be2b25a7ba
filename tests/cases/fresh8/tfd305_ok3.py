import tensorflow as tf

LENGTH = 16_000


def decode(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
    audio = audio[:, 0]
    extra = tf.maximum(tf.shape(audio)[0] - LENGTH, 0)
    start = tf.random.uniform((), 0, extra + 1, dtype=tf.int32)
    clip = audio[start : start + LENGTH]
    clip = tf.pad(clip, [[0, LENGTH - tf.shape(clip)[0]]])
    return tf.ensure_shape(clip, (LENGTH,)), label


def mel(audio, label):
    frames = tf.abs(tf.signal.stft(audio, 400, 160))
    weights = tf.signal.linear_to_mel_weight_matrix(64, 257, 16_000)
    return tf.math.log(tf.tensordot(frames, weights, 1) + 1e-6), label


def pipeline(paths, labels, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size)
    ds = ds.map(mel, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    paths = tf.io.gfile.glob("/data/birdsong/*/*.wav")
    names = sorted({p.split("/")[-2] for p in paths})
    labels = [names.index(p.split("/")[-2]) for p in paths]
    model = tf.keras.Sequential([
        tf.keras.layers.GRU(128),
        tf.keras.layers.Dense(len(names), activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(pipeline(paths, labels, 64), epochs=40)


if __name__ == "__main__":
    main()
