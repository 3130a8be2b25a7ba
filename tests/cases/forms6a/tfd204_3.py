import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds


def make_eval_batches(split, batch_size):
    """Batches for evaluation, and the ids of their images in the same order."""
    ids = []

    def prepare(example):
        ids.append(example["file_name"])
        image = tf.image.resize(example["image"], [224, 224])
        return {"image": image / 127.5 - 1.0, "label": example["label"]}

    ds = tfds.load("oxford_iiit_pet", split=split)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
    return ds, ids


def features(params, image):
    patches = image.reshape(image.shape[0], 14, 16, 14, 16, 3)
    patches = patches.transpose(0, 1, 3, 2, 4, 5).reshape(image.shape[0], 196, 768)
    return jax.nn.gelu(patches @ params["patch"]).mean(axis=1)


@jax.jit
def predict(params, image):
    return jnp.argmax(features(params, image) @ params["head"], axis=-1)


def main():
    params = dict(np.load("/models/pet_classifier.npz"))
    dataset, ids = make_eval_batches("test", 128)
    predictions, labels = [], []
    for batch in dataset.as_numpy_iterator():
        predictions.append(np.asarray(predict(params, batch["image"])))
        labels.append(batch["label"])
    predictions = np.concatenate(predictions)
    labels = np.concatenate(labels)
    with open("errors.txt", "w") as f:
        for i in np.flatnonzero(predictions != labels):
            f.write(f"{ids[i]}\t{labels[i]}\t{predictions[i]}\n")
    print("accuracy", (predictions == labels).mean())


if __name__ == "__main__":
    main()
