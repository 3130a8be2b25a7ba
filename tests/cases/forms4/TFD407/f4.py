import matplotlib.pyplot as plt
import tensorflow as tf


def make_dataset(directory):
    ds = tf.keras.utils.image_dataset_from_directory(
        directory, image_size=(128, 128), batch_size=16, seed=3
    )
    return ds.prefetch(tf.data.AUTOTUNE), ds.class_names


def show_examples(ds, class_names, count=9):
    images, labels = ds[0]
    plt.figure(figsize=(8, 8))
    for i in range(count):
        plt.subplot(3, 3, i + 1)
        plt.imshow(images[i].numpy().astype("uint8"))
        plt.title(class_names[labels[i]])
        plt.axis("off")
    plt.savefig("examples.png")


if __name__ == "__main__":
    dataset, names = make_dataset("photos/train")
    show_examples(dataset, names)
