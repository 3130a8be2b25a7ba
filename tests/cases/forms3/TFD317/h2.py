import tensorflow as tf

files = sorted(tf.io.gfile.glob("timelapse/*.jpg"))


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (128, 128)) / 255.0


def daylight(image):
    return tf.reduce_mean(image) > 0.2


frames = tf.data.Dataset.from_tensor_slices(files)
frames = frames.map(load, num_parallel_calls=tf.data.AUTOTUNE)
frames = frames.filter(daylight)
frames = frames.skip(24)
frames = frames.batch(16).prefetch(tf.data.AUTOTUNE)

encoder = tf.keras.models.load_model("encoder.keras")
codes = encoder.predict(frames)
print(codes.shape, codes.mean(axis=0)[:5])
