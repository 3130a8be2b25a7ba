import cv2
import numpy as np
import tensorflow as tf

pairs = [(f"images/{i:05d}.png", f"masks/{i:05d}.png") for i in range(12000)]


def read_pair(image_path, mask_path):
    image = cv2.imread(image_path.numpy().decode())
    mask = cv2.imread(mask_path.numpy().decode(), cv2.IMREAD_GRAYSCALE)
    image = cv2.resize(image, (640, 640)).astype(np.float32) / 255.0
    mask = cv2.resize(mask, (640, 640), interpolation=cv2.INTER_NEAREST)
    return image, mask


def load(item):
    image, mask = tf.py_function(read_pair, [item["image"], item["mask"]], [tf.float32, tf.uint8])
    image.set_shape((640, 640, 3))
    mask.set_shape((640, 640))
    return {"image": image, "mask": mask}


source = {"image": [a for a, _ in pairs], "mask": [b for _, b in pairs]}
train = tf.data.Dataset.from_tensor_slices(source)
train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE)
train = train.shuffle(buffer_size=2000)
train = train.batch(8).prefetch(tf.data.AUTOTUNE)
net = tf.keras.Sequential([tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"), tf.keras.layers.Conv2D(5, 1)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam()
for batch in train:
    with tf.GradientTape() as tape:
        loss = loss_fn(batch["mask"], net(batch["image"], training=True))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
