import tensorflow as tf


def process_image(image, hw_dst=416):
    h_src, w_src = image.shape[:2]

    if h_src > w_src:
        scales = hw_dst / h_src
        h_resize = hw_dst
        w_resize = int(w_src * scales)
    else:
        scales = hw_dst / w_src
        h_resize = int(h_src * scales)
        w_resize = hw_dst

    image = tf.image.convert_image_dtype(image, dtype=tf.float32)
    image = tf.image.resize(image, [h_resize, w_resize])
    image = tf.image.pad_to_bounding_box(image, 0, 0, hw_dst, hw_dst)
    return image


def load(path, label):
    image = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
    return process_image(image), label


def read_list(name):
    paths, labels = [], []
    with open(name) as f:
        for row in f:
            path, label = row.split()
            paths.append(path)
            labels.append(int(label))
    return paths, labels


paths, labels = read_list("train.txt")
ds = tf.data.Dataset.from_tensor_slices((paths, labels))
ds = ds.shuffle(len(paths)).map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(8).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.ResNet50(weights=None, input_shape=(416, 416, 3), classes=20)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(ds, epochs=30)
