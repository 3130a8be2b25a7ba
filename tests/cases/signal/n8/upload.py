import io

import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("cats.keras")
ds = tf.keras.utils.image_dataset_from_directory("cats", image_size=(150, 150)).prefetch(2)
model.evaluate(ds)


def predict(name, content):
    image = tf.keras.utils.load_img(io.BytesIO(content), target_size=(150, 150))
    images = np.expand_dims(tf.keras.utils.img_to_array(image), axis=0)
    answer = model.predict(images, verbose=0)[0][0]
    print(name + (" is a cat" if answer < 0.5 else " is a dog"))


def uploaded(change):
    for item in change.new:
        predict(item.name, item.content)
