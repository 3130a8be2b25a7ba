import tensorflow as tf

seen = []


def load(path):
    seen.append(path)
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0


ds = tf.data.Dataset.list_files("/data/incoming/*.jpg", shuffle=False)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("/models/pets.keras")
scores = model.predict(ds)
print(len(seen), "files")
print(scores.mean(axis=0))
