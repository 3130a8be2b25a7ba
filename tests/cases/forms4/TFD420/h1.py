import tensorflow as tf


def load(path):
    data = tf.io.read_file(path)
    image = tf.io.decode_image(data, channels=3, expand_animations=False)
    image = tf.image.resize(image, (224, 224))
    return tf.keras.applications.resnet50.preprocess_input(image)


paths = tf.data.Dataset.list_files("uploads/*", shuffle=False)
images = paths.map(load, num_parallel_calls=tf.data.AUTOTUNE)
images = images.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.ResNet50(weights="imagenet")
scores = model.predict(images)
for top in tf.keras.applications.resnet50.decode_predictions(scores, top=1):
    print(top[0])
