import numpy as np
import tensorflow as tf


def evaluate(model, x, y):
    hits = 0
    for i in range(len(x)):
        prob = model.predict(x[i:i + 1], verbose=0)
        hits += int(prob.argmax(axis=-1)[0] == y[i])
    return hits / len(x)


def main():
    _, (x, y) = tf.keras.datasets.fashion_mnist.load_data()
    x = x.astype(np.float32) / 255.0
    model = tf.keras.models.load_model("fashion.keras")
    print("accuracy", evaluate(model, x, y))


if __name__ == "__main__":
    main()
