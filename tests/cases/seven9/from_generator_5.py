"""GPT-2 small from scratch on Wikipedia text, HuggingFace tokenizer."""
import glob
import tensorflow as tf
from transformers import GPT2Config, GPT2TokenizerFast, TFGPT2LMHeadModel


class LMDataModule:
    """Text lines -> fixed length token blocks."""

    def __init__(self, pattern, block=512, batch_size=16):
        self.files = sorted(glob.glob(pattern))
        self.block = block
        self.batch_size = batch_size
        self.tok = GPT2TokenizerFast.from_pretrained('gpt2')
        self.tok.pad_token = self.tok.eos_token

    def _encode_py(self, line):
        text = line.numpy().decode('utf-8', 'ignore')
        enc = self.tok(text, truncation=True, padding='max_length',
                       max_length=self.block)
        return enc['input_ids'], enc['attention_mask']

    def encode(self, line):
        ids, mask = tf.py_function(
            func=self._encode_py,
            inp=[line],
            Tout=(tf.int32, tf.int32))
        ids = tf.ensure_shape(ids, [self.block])
        mask = tf.ensure_shape(mask, [self.block])
        return {'input_ids': ids, 'attention_mask': mask}, ids

    def setup(self):
        lines = tf.data.Dataset.from_tensor_slices(self.files).interleave(
            tf.data.TextLineDataset, cycle_length=16,
            num_parallel_calls=tf.data.AUTOTUNE)
        lines = lines.filter(lambda s: tf.strings.length(s) > 64)
        self.train = (lines
                      .shuffle(100000)
                      .map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
                      .batch(self.batch_size, drop_remainder=True)
                      .prefetch(tf.data.AUTOTUNE))
        return self


def lm_loss(labels, logits):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels[:, 1:], logits[:, :-1]))


def main():
    data = LMDataModule('/corpora/wiki/en/AA/*.txt').setup()
    model = TFGPT2LMHeadModel(GPT2Config())
    opt = tf.keras.optimizers.Adam(2.5e-4)

    @tf.function
    def step(inputs, labels):
        with tf.GradientTape() as tape:
            logits = model(inputs, training=True).logits
            loss = lm_loss(labels, logits)
        grads = tape.gradient(loss, model.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, 1.0)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(3):
        for i, (inputs, labels) in enumerate(data.train):
            loss = step(inputs, labels)
            if i % 200 == 0:
                print(epoch, i, float(loss))
    model.save_pretrained('gpt2-wiki')


if __name__ == '__main__':
    main()
