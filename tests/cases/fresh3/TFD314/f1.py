import tensorflow as tf

EVERY = 10
frames = sorted(tf.io.gfile.glob("dashcam/*.jpg"))


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (300, 300)) / 255.0


ds = tf.data.Dataset.from_tensor_slices(frames)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.enumerate()
ds = ds.filter(lambda number, image: number % EVERY == 0)
ds = ds.batch(16).prefetch(tf.data.AUTOTUNE)

detector = tf.keras.models.load_model("cars.keras")
for numbers, images in ds:
    counts = detector(images, training=False)
    for number, count in zip(numbers.numpy(), counts.numpy()):
        print(frames[number], float(count[0]))
