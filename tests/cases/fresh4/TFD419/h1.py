import tensorflow as tf


def loudness(path, frame=400):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
    samples = tf.data.Dataset.from_tensor_slices(tf.square(audio[:, 0]))
    frames = samples.window(frame, shift=frame // 2, drop_remainder=True)
    frames = frames.map(
        lambda w: w.batch(frame).get_single_element(), num_parallel_calls=tf.data.AUTOTUNE
    )
    energy = frames.map(tf.reduce_mean, num_parallel_calls=tf.data.AUTOTUNE)
    return energy.prefetch(tf.data.AUTOTUNE)


def main():
    for name in ("quiet.wav", "street.wav", "concert.wav"):
        levels = [10.0 * tf.math.log(level + 1e-9) / tf.math.log(10.0) for level in loudness(name)]
        print(name, float(tf.reduce_max(levels)))


if __name__ == "__main__":
    main()
