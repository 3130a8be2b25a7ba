import argparse

import tensorflow as tf

from corpus import token_batches
from transformer import Transformer


def make_step(model, optimizer, clip):
    def step(src, tgt):
        with tf.GradientTape() as tape:
            logits = model(src, tgt[:, :-1], training=True)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(tgt[:, 1:], logits)
            mask = tf.cast(tgt[:, 1:] != 0, losses.dtype)
            loss = tf.reduce_sum(losses * mask) / tf.reduce_sum(mask)
        grads = tape.gradient(loss, model.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, clip)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    spec = tf.TensorSpec((None, None), tf.int64)
    return tf.function(step, input_signature=(spec, spec))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--clip", type=float, default=1.0)
    args = parser.parse_args()

    model = Transformer(vocab=32_000, width=512, depth=6)
    step = make_step(model, tf.keras.optimizers.Adam(1e-4), args.clip)
    for epoch in range(args.epochs):
        for src, tgt in token_batches("train", 128):
            loss = step(src, tgt)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
