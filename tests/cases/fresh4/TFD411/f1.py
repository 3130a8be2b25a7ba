import tensorflow as tf

PAGES = ["page_01.png", "page_02.png", "page_03.png", "page_04.png", "page_05.png"]


def load(path):
    page = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(page, (512, 384)) / 255.0


def batches(paths, size=8):
    ds = tf.data.Dataset.from_tensor_slices(paths)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.models.load_model("layout.keras")
for page, score in zip(PAGES, model.predict(batches(PAGES))):
    print(page, score)
