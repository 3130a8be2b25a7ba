import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE

posters = (
    tf.data.Dataset.list_files("posters/*", shuffle=False)
    .map(tf.io.read_file, num_parallel_calls=AUTOTUNE)
    .map(tf.io.decode_image, num_parallel_calls=AUTOTUNE)
    .map(lambda image: tf.image.resize(image, [299, 299]), num_parallel_calls=AUTOTUNE)
    .map(tf.keras.applications.inception_v3.preprocess_input, num_parallel_calls=AUTOTUNE)
    .batch(16)
    .prefetch(AUTOTUNE)
)

encoder = tf.keras.applications.InceptionV3(include_top=False, pooling="avg")
vectors = encoder.predict(posters)
print(vectors.shape)
