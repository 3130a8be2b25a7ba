import tensorflow as tf

from images import with_image

paths = tf.data.Dataset.list_files("incoming/*", shuffle=False)
loaded = paths.map(with_image, num_parallel_calls=tf.data.AUTOTUNE)
fresh = loaded.filter(lambda path, image: tf.strings.regex_full_match(path, r".*_2024\d+\.webp"))
fresh = fresh.batch(16).prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("tagger.keras")
with open("tags.csv", "w") as out:
    for names, images in fresh:
        tags = tf.argmax(model(images, training=False), axis=-1)
        for name, tag in zip(names.numpy(), tags.numpy()):
            out.write(f"{name.decode()},{tag}\n")
