"""What the pages of TFD3xx say about the order of transformations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from run import claim, raises


class Counted:
    """A function for `map` that gives what it is given, and knows how often it ran."""

    def __init__(self, stateful: bool = True) -> None:
        self.calls: list[None] = []
        self.stateful = stateful

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        noted = tf.numpy_function(self._note, [x], x.dtype, stateful=self.stateful)
        return tf.ensure_shape(noted, x.shape)

    def _note(self, x: Any) -> Any:
        self.calls.append(None)
        return x

    @property
    def times(self) -> int:
        return len(self.calls)


def numbers(ds: tf.data.Dataset) -> list[float]:
    return [float(x) for x in ds.as_numpy_iterator()]


def epochs(ds: tf.data.Dataset, count: int = 3) -> set[tuple[float, ...]]:
    """The epochs of a dataset that differ from each other."""
    return {tuple(numbers(ds)) for _ in range(count)}


def shifted(x: tf.Tensor) -> tf.Tensor:
    # Draws of 52 bits: two are never equal by chance.
    return tf.cast(x, tf.float64) + tf.random.uniform([], dtype=tf.float64)


def drawn(count: int = 8) -> tf.data.Dataset:
    return tf.data.Dataset.from_tensor_slices(tf.zeros([count])).map(shifted)


def checked(x: tf.Tensor) -> tf.Tensor:
    return tf.debugging.check_numerics(x, "no number")


def ran(build: Callable[[Counted], tf.data.Dataset], passes: int = 1) -> int:
    """How often a function runs when a pipeline with it is read to its end."""
    counted = Counted()
    ds = build(counted)
    for _ in range(passes):
        list(ds)
    return counted.times


def numbered_files() -> list[str]:
    """Ten files, of ten lines each: the numbers from 0 to 99."""
    for i in range(10):
        Path(f"{i}.txt").write_text("".join(f"{10 * i + j}\n" for j in range(10)))
    return [f"{i}.txt" for i in range(10)]


def record(**features: int) -> bytes:
    values = {name: tf.train.Feature(int64_list=tf.train.Int64List(value=[x])) for name, x in features.items()}
    return tf.train.Example(features=tf.train.Features(feature=values)).SerializeToString()


@claim("TFD301", "An expensive map behind it runs again in every epoch")
def a_map_behind_the_cache_runs_in_every_epoch() -> None:
    assert ran(lambda f: tf.data.Dataset.range(10).cache().map(f), passes=3) == 30
    assert ran(lambda f: tf.data.Dataset.range(10).map(f).cache(), passes=3) == 10


@claim("TFD301", "each time that an input function is called it makes another cache, which nobody reads again")
def a_cache_in_memory_ends_with_its_dataset() -> None:
    counted = Counted()

    def input_fn() -> tf.data.Dataset:
        return tf.data.Dataset.range(10).map(counted).cache()

    list(input_fn()), list(input_fn())
    assert counted.times == 20
    once = input_fn()
    list(once), list(once)
    assert counted.times == 30


@claim("TFD301", "where a file keeps what is cached for the next run")
def a_cache_file_serves_another_dataset() -> None:
    counted = Counted()
    for _ in range(2):
        assert numbers(tf.data.Dataset.range(10).map(counted).cache("kept")) == list(range(10))
    assert counted.times == 10


@claim("TFD302", "all epochs are equal")
def cached_draws_are_read_again() -> None:
    assert len(epochs(drawn().cache())) == 1
    assert len(epochs(drawn())) == 3


@claim("TFD302", "a shuffled order is frozen the same way")
def a_cached_order_is_read_again() -> None:
    ds = tf.data.Dataset.range(100)
    assert len(epochs(ds.shuffle(100).cache())) == 1
    assert len(epochs(ds.shuffle(100))) == 3
    assert len(epochs(ds.shuffle(100).cache().shuffle(100))) == 3


@claim("TFD302", "Reports a `cache` or `snapshot` that comes after random augmentation")
def a_snapshot_keeps_the_draws() -> None:
    kept, fresh = drawn().snapshot("kept"), drawn()
    # The order in which a snapshot is read is its own.
    assert sorted(numbers(kept)) == sorted(numbers(kept))
    assert sorted(numbers(fresh)) != sorted(numbers(fresh))


@claim("TFD302", "Keras random layers are random too")
def a_keras_layer_draws_in_every_epoch() -> None:
    flip = tf.keras.layers.RandomFlip("horizontal")
    # 100 images: that all are flipped alike twice has a probability of 1e-30.
    images = tf.data.Dataset.from_tensors(tf.random.uniform([100, 2, 2, 1]))
    ds = images.map(lambda x: flip(x, training=True)).map(lambda x: x[:, 0, 0, 0]).unbatch()
    assert len(epochs(ds)) == 3
    assert len(epochs(ds.cache())) == 1


@claim("TFD302", "An endless dataset never fills the cache")
def an_endless_dataset_is_drawn_anew() -> None:
    def starts(ds: tf.data.Dataset) -> set[tuple[float, ...]]:
        iterators = [ds.as_numpy_iterator() for _ in range(3)]
        return {tuple(float(next(iterator)) for _ in range(20)) for iterator in iterators}

    assert len(starts(drawn().repeat().cache())) == 3
    list(finite := drawn().cache())
    assert len(starts(finite.repeat())) == 1


@claim("TFD302", "A shuffle with a buffer of one does not shuffle")
def a_buffer_of_one_keeps_the_order() -> None:
    assert numbers(tf.data.Dataset.range(100).shuffle(1)) == list(range(100))
    assert numbers(tf.data.Dataset.range(100).shuffle(100)) != list(range(100))


@claim("TFD303", "1,000 times for 1,000 elements of a dataset of ten")
def an_endless_cache_gives_nothing_back() -> None:
    ten = tf.data.Dataset.range(10)
    assert ran(lambda f: ten.map(f).repeat().cache().take(1000)) == 1000
    assert ran(lambda f: ten.map(f).cache().repeat().take(1000)) == 10


@claim("TFD303", "30 calls instead of 10")
def a_counted_repetition_is_made_and_kept_whole() -> None:
    ten = tf.data.Dataset.range(10)
    assert ran(lambda f: ten.map(f).repeat(3).cache()) == 30
    assert ran(lambda f: ten.map(f).cache().repeat(3)) == 10
    list(ten.repeat(3).cache("repeated")), list(ten.cache("once"))
    repeated, once = (next(Path().glob(f"{name}*.data*")).stat().st_size for name in ("repeated", "once"))
    assert repeated == 3 * once


@claim("TFD303", "Readers that repeat by themselves, if they are not told otherwise")
def readers_repeat() -> None:
    Path("rows.csv").write_text("a,b\n" + "1,2\n" * 8)
    with tf.io.TFRecordWriter("records") as writer:
        for i in range(8):
            writer.write(record(a=i))
    features = {"a": tf.io.FixedLenFeature([], tf.int64)}

    def read(**options: Any) -> list[tf.data.Dataset]:
        rows = tf.data.experimental.make_csv_dataset("rows.csv", 4, **options)
        return [rows, tf.data.experimental.make_batched_features_dataset("records", 4, features, **options)]

    for ds in read():
        assert len(list(ds.take(50))) == 50
    for ds in read(num_epochs=1):
        assert len(list(ds.take(50))) == 2


@claim("TFD303", "Where it is random, each pass so far drew anew")
def a_repetition_before_the_cache_draws_in_each_pass() -> None:
    assert len(set(numbers(drawn(8).repeat(3).cache()))) == 24
    assert len(set(numbers(drawn(8).cache().repeat(3)))) == 8


@claim("TFD304", "15 elements made in 3 epochs for a `take(5)`; 5 with the two swapped")
def a_cache_that_is_never_filled_is_made_anew() -> None:
    assert ran(lambda f: tf.data.Dataset.range(10).map(f).cache().take(5), passes=3) == 15
    assert ran(lambda f: tf.data.Dataset.range(10).map(f).take(5).cache(), passes=3) == 5


@claim("TFD304", "or read the cache to its end once before training")
def a_cache_that_was_filled_serves_a_part() -> None:
    counted = Counted()
    cached = tf.data.Dataset.range(10).map(counted).cache()
    list(cached)
    for _ in range(3):
        assert numbers(cached.take(5)) == list(range(5))
    assert counted.times == 10


@claim("TFD304", "without the cache every epoch drew anew, with it they are all the same")
def a_partial_cache_draws_anew() -> None:
    assert len(epochs(drawn(10).cache().take(5))) == 3
    assert len(epochs(drawn(10).take(5).cache())) == 1


@claim("TFD304", "Each validation begins anew, and `validation_steps` ends it early")
def a_validation_begins_anew() -> None:
    training = tf.data.Dataset.from_tensors((tf.zeros([2, 4]), tf.zeros([2])))
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(loss="mse")

    def made(steps: int | None) -> int:
        counted = Counted()
        validation = tf.data.Dataset.range(200).map(counted).cache().map(lambda _: (tf.zeros([2, 4]), tf.zeros([2])))
        model.fit(training, epochs=4, validation_data=validation, validation_steps=steps, verbose=0)
        return counted.times

    # Some more may be made ahead of the model.
    assert 4 * 10 <= made(10) < 200
    assert made(None) == 200


@claim("TFD305", "With `batch` first it is called once for each batch")
def a_function_of_batches_is_called_for_each_batch() -> None:
    assert ran(lambda f: tf.data.Dataset.range(100).map(f).batch(10)) == 100
    assert ran(lambda f: tf.data.Dataset.range(100).batch(10).map(f)) == 10


@claim("TFD305", "The runtime does not do this by itself any more")
def the_option_to_vectorise_maps_is_gone() -> None:
    options = tf.data.Options()
    assert hasattr(options.experimental_optimization, "map_parallelization")
    assert not hasattr(options.experimental_optimization, "map_vectorization")
    # A function without side effects, which the runtime might have moved.
    counted = Counted(stateful=False)
    list(tf.data.Dataset.range(100).map(counted).batch(10))
    assert counted.times == 100


@claim("TFD305", "one draw for each element would become one for each batch")
def a_batch_is_drawn_for_once() -> None:
    ds = tf.data.Dataset.from_tensor_slices(tf.zeros([64]))

    assert len(set(numbers(ds.map(shifted).batch(8).unbatch()))) == 64
    assert len(set(numbers(ds.batch(8).map(shifted).unbatch()))) == 8


@claim("TFD305", "Safe for operations that are equal bit by bit on elements and on batches")
def elements_and_batches_give_equal_bits() -> None:
    values = np.random.default_rng(0).normal(0, 1000, [999]).astype(np.float32)
    names = tf.lookup.KeyValueTensorInitializer(tf.range(-5000, 5000, dtype=tf.int64), tf.range(10000))
    table = tf.lookup.StaticHashTable(names, -1)

    def work(x: tf.Tensor) -> dict[str, tf.Tensor]:
        whole = tf.cast(x, tf.int64)
        return {
            "scaled": (x - 0.1) / 255.0 * 3.7,
            "clipped": tf.clip_by_value(x, -1.3, 77.7),
            "cast": tf.cast(x, tf.float16),
            "less": x < 0.3,
            "found": table.lookup(whole),
            "text": tf.strings.lower(tf.strings.join(["X", tf.strings.as_string(whole)])),
        }

    ds = tf.data.Dataset.from_tensor_slices(values)
    for one, other in zip(ds.map(work).batch(100), ds.batch(100).map(work), strict=True):
        for name in one:
            assert np.array_equal(one[name], other[name]), name


@claim("TFD305", "where floats that do not fit become other numbers in a batch")
def casts_that_overflow_differ_in_a_batch() -> None:
    differing = (tf.int8, tf.uint8, tf.int16, tf.uint16, tf.uint32)
    equal = (tf.int32, tf.int64)

    def cast(x: tf.Tensor) -> list[tf.Tensor]:
        return [tf.cast(x, to) for to in (*differing, *equal)]

    def agree(values: Any) -> list[bool]:
        ds = tf.data.Dataset.from_tensors(values)
        singly, together = ds.unbatch().map(cast).batch(64), ds.map(cast)
        pairs = zip(next(iter(singly)), next(iter(together)), strict=True)
        return [np.array_equal(one, other) for one, other in pairs]

    too_large = np.tile(np.array([300.5, -1.5, 70000, -70000, 5e9, -5e9, 1e20, np.inf], np.float32), 8)
    assert agree(too_large) == [False] * len(differing) + [True] * len(equal)
    assert all(agree(np.linspace(0, 100, 64, dtype=np.float32)))


@claim("TFD305", "before `ignore_errors`, which drops whole batches then")
def ignored_errors_take_the_batch_along() -> None:
    ds = tf.data.Dataset.from_tensor_slices([1.0, 2.0, np.nan, 4.0, 5.0, 6.0])

    assert numbers(ds.map(checked).ignore_errors().batch(2).unbatch()) == [1, 2, 4, 5, 6]
    assert numbers(ds.batch(2).map(checked).ignore_errors().unbatch()) == [1, 2, 5, 6]


def batches(ds: tf.data.Dataset) -> list[frozenset[int]]:
    return [frozenset(rows.tolist()) for rows in ds.as_numpy_iterator()]


@claim("TFD306", "The same elements meet in the same batch in every epoch")
def batches_are_shuffled_whole() -> None:
    after = tf.data.Dataset.range(400).batch(8).shuffle(400)
    first, second = batches(after), batches(after)
    # Only their order changes.
    assert first != second
    assert set(first) == set(second)
    before = tf.data.Dataset.range(400).shuffle(400).batch(8)
    assert set(batches(before)) != set(batches(before))


@claim("TFD306", "if the data is sorted by class, every batch stays of one class")
def sorted_classes_do_not_mix() -> None:
    classes = tf.data.Dataset.from_tensor_slices(np.repeat([0, 1, 2, 3], 64))
    assert max(map(len, batches(classes.batch(16).shuffle(16)))) == 1
    assert min(map(len, batches(classes.shuffle(256, seed=1).batch(16)))) > 1


@claim("TFD307", "23 % of the examples were missing from what should have been the first epoch")
def an_epoch_of_a_shuffled_repetition_lacks_examples() -> None:
    ds = tf.data.Dataset.range(1000)

    def missing(shuffled: tf.data.Dataset) -> float:
        return 1 - len(set(next(shuffled.batch(1000).as_numpy_iterator()).tolist())) / 1000

    shares = [missing(ds.repeat().shuffle(1000, seed=seed)) for seed in range(20)]
    assert 0.2225 < np.mean(shares) < 0.2405
    assert missing(ds.shuffle(1000).repeat()) == 0


@claim("TFD307", "some elements come twice before others come once")
def shuffled_epochs_overlap() -> None:
    mixed = numbers(tf.data.Dataset.range(100).repeat(2).shuffle(100, seed=1))
    assert len(set(mixed[:100])) < 100
    assert sorted(mixed) == sorted([*range(100)] * 2)
    apart = numbers(tf.data.Dataset.range(100).shuffle(100, seed=1).repeat(2))
    assert len(set(apart[:100])) == len(set(apart[100:])) == 100


@claim("TFD308", "since the buffer is filled first")
def the_first_element_waits_for_the_buffer() -> None:
    for size, least, most in ((1, 1, 99), (100, 100, 200)):
        counted = Counted()
        next(iter(tf.data.Dataset.range(500).map(counted).shuffle(size)))
        assert least <= counted.times <= most


@claim("TFD308", "The order is as random if what is small is shuffled")
def a_map_moves_through_a_shuffle() -> None:
    ds = tf.data.Dataset.range(100)
    behind = numbers(ds.map(lambda x: x * x).shuffle(50, seed=3))
    before = numbers(ds.shuffle(50, seed=3).map(lambda x: x * x))
    assert behind == before
    assert behind != sorted(behind)


@claim("TFD309", "100 elements made for 10 kept")
def a_worker_makes_what_it_throws_away() -> None:
    files = tf.data.Dataset.from_tensor_slices(numbered_files())

    def work(late: bool) -> tuple[int, int]:
        counted = Counted()
        ds = files if late else files.shard(10, 3)
        ds = ds.interleave(tf.data.TextLineDataset, cycle_length=2).map(counted)
        return len(list(ds.shard(10, 3) if late else ds)), counted.times

    assert work(late=True) == (10, 100)
    assert work(late=False) == (10, 10)


@claim("TFD309", "workers get whole files instead of every n-th record")
def shares_of_files_and_of_records() -> None:
    files = tf.data.Dataset.from_tensor_slices(numbered_files())

    def read(some: tf.data.Dataset) -> list[float]:
        return numbers(some.flat_map(tf.data.TextLineDataset).map(tf.strings.to_number))

    records = files.flat_map(tf.data.TextLineDataset).map(tf.strings.to_number)
    assert numbers(records.shard(5, 1)) == list(range(1, 100, 5))
    assert read(files.shard(5, 1)) == [*range(10, 20), *range(60, 70)]
    assert sorted(x for worker in range(5) for x in read(files.shard(5, worker))) == list(range(100))


@claim("TFD309", "with fewer files than workers some get nothing")
def there_may_be_too_few_files() -> None:
    files = tf.data.Dataset.from_tensor_slices(numbered_files()).take(2)
    assert [len(list(files.shard(3, worker))) for worker in range(3)] == [1, 1, 0]


def forty_files() -> str:
    for i in range(40):
        Path(f"{i:02}.data").touch()
    return "*.data"


@claim("TFD310", "4 workers covered 26 of 40 files")
def orders_of_their_own_make_shares_overlap() -> None:
    pattern = forty_files()

    def covered(**options: Any) -> int:
        shares = [tf.data.Dataset.list_files(pattern, **options).shard(4, worker) for worker in range(4)]
        return len({name for share in shares for name in share.as_numpy_iterator()})

    # 27.3 files are expected, and the mean of 25 trials deviates by 0.37.
    assert 25 < np.mean([covered() for _ in range(25)]) < 29.6
    assert covered(shuffle=False) == covered(seed=7) == 40


@claim("TFD310", "after a `list_files` without a seed, which shuffles unless told otherwise")
def list_files_shuffles() -> None:
    pattern = forty_files()

    def orders(**options: Any) -> set[tuple[bytes, ...]]:
        return {tuple(tf.data.Dataset.list_files(pattern, **options).as_numpy_iterator()) for _ in range(3)}

    assert len(orders()) == 3
    assert len(orders(seed=7)) == 1
    assert len(orders(shuffle=False)) == 1


@claim("TFD310", "`shuffle=False` leaves them in alphabetical order")
def list_files_sorts() -> None:
    names = [f"{letter}{i}.data" for i in (2, 10, 1) for letter in "bca"]
    for name in names:
        Path(name).touch()
    for pattern in ("*.data", ["c*.data", "[ab]*.data"]):
        found = [
            path.decode().removeprefix("./")
            for path in tf.data.Dataset.list_files(pattern, shuffle=False).as_numpy_iterator()
        ]
        assert found == sorted(names)


@claim("TFD310", "A global seed gives every worker the same order")
def a_global_seed_is_one_order() -> None:
    def order(seed: int | None) -> list[float]:
        # What each worker does when it starts.
        tf.random.set_seed(seed)
        return numbers(tf.data.Dataset.range(64).shuffle(64))

    assert order(7) == order(7)
    assert order(7) != order(8)


@claim("TFD311", "the order stays as it is")
def one_element_has_no_choice() -> None:
    assert epochs(tf.data.Dataset.range(64).shuffle(1)) == {tuple(range(64))}
    assert tuple(range(64)) not in epochs(tf.data.Dataset.range(64).shuffle(2))


@claim("TFD311", "a batch of 32 held 1.4 classes with `shuffle(8)`, 1.3 without `shuffle`, 9.6 with `shuffle(1000)`")
def a_small_buffer_fills_batches_with_neighbours() -> None:
    classes = tf.data.Dataset.from_tensor_slices(np.repeat(range(10), 100))

    def held(ds: tf.data.Dataset) -> float:
        return float(np.mean([len(batch) for batch in batches(ds.batch(32))]))

    def mean(size: int) -> float:
        return float(np.mean([held(classes.shuffle(size, seed=seed)) for seed in range(10)]))

    assert round(held(classes), 2) == 1.25
    assert abs(mean(8) - 1.44) < 0.06
    assert abs(mean(1000) - 9.56) < 0.2


@claim("TFD312", "gives the same elements from slices of batches")
def rebatch_gives_the_same() -> None:
    rows = tf.data.Dataset.range(100).map(lambda i: tf.range(i, i + 3))
    for size in (1, 7, 20, 64, 200):
        for drop in (False, True):
            made = rows.batch(32).unbatch().batch(size, drop_remainder=drop)
            cut = rows.batch(32).rebatch(size, drop_remainder=drop)
            assert [x.tolist() for x in made.as_numpy_iterator()] == [x.tolist() for x in cut.as_numpy_iterator()]


@claim("TFD312", "the elements are the same, also of ragged and sparse tensors")
def rebatch_takes_ragged_and_sparse_tensors() -> None:
    ragged = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [], [4, 5, 6], [7]])).batch(3)
    sparse = tf.data.Dataset.from_tensor_slices(tf.sparse.from_dense(np.eye(5, dtype=np.int64))).batch(3)
    pairs = [(ds.unbatch().batch(2), ds.rebatch(2)) for ds in (ragged, sparse)]
    assert [x.to_list() for x in pairs[0][0]] == [x.to_list() for x in pairs[0][1]]
    made, cut = ([tf.sparse.to_dense(x).numpy().tolist() for x in ds] for ds in pairs[1])
    assert made == cut
    assert [row for rows in made for row in rows] == np.eye(5).tolist()


@claim("TFD312", "`len` works after `unbatch` and no longer after `rebatch`")
def the_length_is_lost() -> None:
    ds = tf.data.Dataset.range(100).batch(10, drop_remainder=True)
    assert len(ds.unbatch().batch(20)) == 5
    assert raises(lambda: len(ds.rebatch(20))) == "TypeError"


@claim("TFD312", "an infinite dataset has an unknown cardinality after `rebatch`")
def what_is_infinite_becomes_unknown() -> None:
    ds = tf.data.Dataset.range(100).batch(10).repeat()
    assert ds.unbatch().batch(20).cardinality() == tf.data.INFINITE_CARDINALITY
    assert ds.rebatch(20).cardinality() == tf.data.UNKNOWN_CARDINALITY


@claim("TFD312", "rows of different shapes raise another error")
def shapes_that_differ_raise_another_error() -> None:
    ds = tf.data.Dataset.range(1, 5).map(lambda n: tf.ones([2, n]))
    errors = raises(lambda: list(ds.unbatch().batch(3))), raises(lambda: list(ds.rebatch(3)))
    assert all(errors)
    assert errors[0] != errors[1]


@claim("TFD312", "under `compat.v1` what `rebatch` gives has no `make_one_shot_iterator`")
def rebatch_leaves_the_old_interface() -> None:
    ds = tf.compat.v1.data.Dataset.range(10).batch(5)
    assert hasattr(ds.unbatch().batch(2), "make_one_shot_iterator")
    assert not hasattr(ds.rebatch(2), "make_one_shot_iterator")


@claim("TFD313", "A float takes four times the bytes of what was decoded")
def floats_are_four_times_as_large() -> None:
    decoded = tf.io.decode_jpeg(tf.io.encode_jpeg(tf.zeros([8, 8, 3], tf.uint8)))
    for floats in (tf.cast(decoded, tf.float32), tf.image.convert_image_dtype(decoded, tf.float32)):
        assert floats.numpy().nbytes == 4 * decoded.numpy().nbytes


@claim("TFD313", "moving bytes is all that a flip or crop does")
def flips_and_crops_only_move() -> None:
    image = tf.cast(tf.random.stateless_uniform([9, 7, 3], [1, 2], 0, 256, tf.int32), tf.uint8)
    for move in (
        tf.image.flip_left_right,
        tf.image.rot90,
        lambda x: tf.image.central_crop(x, 0.5),
        lambda x: tf.image.resize_with_crop_or_pad(x, 8, 8),
        lambda x: tf.image.stateless_random_crop(x, [4, 4, 3], [1, 2]),
    ):
        first = move(tf.image.convert_image_dtype(image, tf.float32))
        last = tf.image.convert_image_dtype(move(image), tf.float32)
        assert first.numpy().tobytes() == last.numpy().tobytes()


@claim("TFD314", "a filter on the label that keeps a quarter threw 300 away; filtering first decodes 100")
def a_filter_comes_too_late() -> None:
    def quarter(label: tf.Tensor) -> tf.Tensor:
        return label % 4 == 0

    assert ran(lambda f: tf.data.Dataset.range(400).map(f).filter(quarter)) == 400
    assert ran(lambda f: tf.data.Dataset.range(400).filter(quarter).map(f)) == 100


@claim("TFD315", "makes floats of bytes and leaves them between 0 and 255")
def resize_does_not_scale() -> None:
    image = tf.cast(tf.random.stateless_uniform([16, 16, 3], [1, 2], 0, 256, tf.int32), tf.uint8)
    for method in ("bilinear", "area"):
        resized = tf.image.resize(image, [8, 8], method)
        assert resized.dtype == tf.float32
        assert 100 < tf.reduce_max(resized) <= 255
    converted = tf.image.convert_image_dtype(image, tf.float32)
    assert 0.9 < tf.reduce_max(tf.image.resize(converted, [16, 16])) <= 1


@claim("TFD315", "`tf.image.convert_image_dtype` scales")
def convert_image_dtype_scales() -> None:
    image = tf.constant([[[0], [51], [255]]], tf.uint8)
    assert np.allclose(tf.reshape(tf.image.convert_image_dtype(image, tf.float32), [-1]), [0, 0.2, 1])
    assert tf.reshape(tf.cast(image, tf.float32), [-1]).numpy().tolist() == [0, 51, 255]


@claim("TFD315", "Bytes stay bytes")
def nearest_neighbours_stay_bytes() -> None:
    image = tf.zeros([4, 4, 3], tf.uint8)
    assert tf.image.resize(image, [2, 2], method="nearest").dtype == tf.uint8
    assert tf.image.resize(image, [2, 2]).dtype == tf.float32


@claim("TFD316", "the numbers 0 to 3 instead of 100 to 107")
def the_second_pipeline_reads_the_file_of_the_first() -> None:
    first, second = tf.data.Dataset.range(4), tf.data.Dataset.range(100, 108)
    assert numbers(first.cache("elements")) == [0, 1, 2, 3]
    assert numbers(second.cache("elements")) == [0, 1, 2, 3]
    assert numbers(second.cache("others")) == list(range(100, 108))
    assert numbers(second.cache("")) == list(range(100, 108))


@claim("TFD316", "A cache file that is complete is read instead of everything before it")
def only_a_complete_file_is_read() -> None:
    counted = Counted()
    list(tf.data.Dataset.range(4).cache("complete"))
    list(tf.data.Dataset.range(4).map(counted).cache("complete"))
    assert counted.times == 0
    # Not so where reading stopped early.
    list(tf.data.Dataset.range(100).cache("begun").take(2))
    assert numbers(tf.data.Dataset.range(4).map(counted).cache("begun")) == [0, 1, 2, 3]
    assert counted.times == 4


@claim("TFD317", "Of 400 images, all were decoded for `skip(300)` and `shard(4, 0)`, which keep 100")
def what_is_thrown_away_is_made() -> None:
    ds = tf.data.Dataset.range(400)
    assert ran(lambda f: ds.map(f).skip(300)) == ran(lambda f: ds.map(f).shard(4, 0)) == 400
    assert ran(lambda f: ds.skip(300).map(f)) == ran(lambda f: ds.shard(4, 0).map(f)) == 100
    assert ran(lambda f: ds.map(f, num_parallel_calls=2).skip(300)) == 400
    assert ran(lambda f: ds.map(f, num_parallel_calls=2).shard(4, 0)) == 400


@claim("TFD317", "it asks for no more than it gives")
def take_makes_what_it_gives() -> None:
    ds = tf.data.Dataset.range(400)
    assert ran(lambda f: ds.map(f).take(100)) == 100
    # The calls that are under way when the last element is given.
    assert 100 <= ran(lambda f: ds.map(f, num_parallel_calls=2).take(100)) <= 110


@claim("TFD317", "an element for which the function fails raises no error where it is thrown away before")
def what_is_thrown_away_before_does_not_fail() -> None:
    ds = tf.data.Dataset.from_tensor_slices([np.nan, 1.0, 2.0, 3.0])

    assert raises(lambda: list(ds.map(checked).skip(2))) == "InvalidArgumentError"
    assert numbers(ds.skip(2).map(checked)) == [2, 3]


@claim("TFD317", "is counted by `skip` where somebody goes on after errors")
def an_element_that_fails_is_not_counted_behind() -> None:
    ds = tf.data.Dataset.from_tensor_slices([np.nan, 1.0, 2.0, 3.0])

    assert numbers(ds.skip(2).map(checked).ignore_errors()) == [2, 3]
    assert numbers(ds.map(checked).skip(2).ignore_errors()) == [3]


@claim("TFD318", "TensorFlow prunes what a function computes and does not return, but nothing across two functions")
def what_is_dropped_by_the_next_function_is_computed() -> None:
    within, across = Counted(stateful=False), Counted(stateful=False)

    def compute(x: tf.Tensor) -> tf.Tensor:
        within(x)
        return x

    list(tf.data.Dataset.range(20).map(compute))
    list(tf.data.Dataset.range(20).map(lambda x: (x, across(x))).map(lambda x, _: x))
    assert within.times == 0
    assert across.times == 20


@claim("TFD318", "a record that lacks a feature without a default raises an error only where it is parsed")
def a_feature_that_is_not_parsed_may_lack() -> None:
    ds = tf.data.Dataset.from_tensors(record(label=1))
    label, other = tf.io.FixedLenFeature([], tf.int64), tf.io.FixedLenFeature([], tf.int64, 7)

    def parse(features: dict[str, Any]) -> list[Any]:
        return list(ds.map(lambda x: tf.io.parse_single_example(x, features)))

    assert raises(lambda: parse({"label": label, "other": label})) == "InvalidArgumentError"
    assert parse({"label": label})[0]["label"] == 1
    assert parse({"label": label, "other": other})[0]["other"] == 7


def thirds(ds: tf.data.Dataset) -> tf.data.Dataset:
    return tf.data.Dataset.zip(tuple(ds.filter(lambda x, k=k: x % 3 == k) for k in range(3)))


@claim("TFD319", "1,200 images were decoded instead of 400")
def each_branch_makes_everything() -> None:
    images = tf.data.Dataset.range(400)
    assert ran(lambda f: thirds(images.map(f))) == 1200

    def filtered_first(f: Counted) -> tf.data.Dataset:
        return thirds(images).map(lambda *three: tuple(f(x) for x in three))

    # The last image has no counterparts.
    assert ran(filtered_first) == 399


@claim("TFD319", "A cache keeps what they share, for a `zip` from the second pass on")
def a_cache_serves_all_branches() -> None:
    images = tf.data.Dataset.range(40)
    one_after_the_other = Counted()
    kept = images.map(one_after_the_other).cache()
    list(kept.map(lambda x: x + 1).concatenate(kept.map(lambda x: x - 1)))
    assert one_after_the_other.times == 40
    # Branches that are read side by side both fill it.
    side_by_side = Counted()
    kept = images.map(side_by_side).cache()
    both = tf.data.Dataset.zip((kept.map(lambda x: x + 1), kept.map(lambda x: x - 1)))
    for _ in range(3):
        list(both)
        assert side_by_side.times == 80


@claim("TFD321", "ran 1,200 times for 400 images; after a `cache` it ran 400 times")
def repeated_elements_are_made_again() -> None:
    images = tf.data.Dataset.range(400)
    assert ran(lambda f: images.repeat(3).map(f)) == 1200
    assert ran(lambda f: images.map(f).cache().repeat(3)) == 400


@claim("TFD322", "What is drawn in such a loop is drawn once: each epoch then sees the same augmentation")
def a_list_is_drawn_once() -> None:
    listed = tf.data.Dataset.from_tensor_slices([x + tf.random.uniform([]) for x in tf.zeros([8])])
    mapped = tf.data.Dataset.from_tensor_slices(tf.zeros([8])).map(lambda x: x + tf.random.uniform([]))
    assert len(epochs(listed)) == 1
    assert len(epochs(mapped)) == 3


@claim("TFD322", "Everything is decoded on one thread before the first step")
def a_list_is_made_before_the_first_step() -> None:
    listed, mapped = Counted(), Counted()
    next(iter(tf.data.Dataset.from_tensor_slices([listed(x) for x in tf.range(400)])))
    next(iter(tf.data.Dataset.range(400).map(mapped, num_parallel_calls=2)))
    assert listed.times == 400
    assert mapped.times < 100


@claim("TFD323", "or `model.predict(ds.batch(32))`")
def batches_get_the_scores_of_single_elements() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    ds = tf.data.Dataset.from_tensor_slices(np.random.default_rng(0).random([8, 4], np.float32))
    singly = [model.predict(tf.expand_dims(row, 0), verbose=0) for row in ds]
    together = model.predict(ds.batch(32), verbose=0)
    assert np.allclose(np.concatenate(singly), together, atol=1e-5)
    assert np.ptp(together) > 0


@claim("TFD323", "They may differ in shape, so that they cannot be batched")
def shapes_that_differ_cannot_be_batched() -> None:
    ds = tf.data.Dataset.range(1, 5).map(lambda n: tf.ones([n]))
    assert raises(lambda: list(ds.batch(2))) == "InvalidArgumentError"
    assert len(list(ds.batch(1))) == 4


@claim("TFD324", "Arrays are copied into the new pipeline")
def a_pipeline_has_a_copy_of_the_array() -> None:
    rows = np.arange(1000.0)
    ds = tf.data.Dataset.from_tensor_slices(rows)
    rows[:] = -1
    assert numbers(ds) == list(range(1000))
    assert set(numbers(tf.data.Dataset.from_tensor_slices(rows))) == {-1}


@claim("TFD324", "functions are traced again")
def a_function_is_traced_for_each_pipeline() -> None:
    traces: list[None] = []

    def traced(x: tf.Tensor) -> tf.Tensor:
        traces.append(None)
        return x + 1

    once = tf.data.Dataset.range(4).map(traced)
    for _ in range(3):
        list(once)
    before = len(traces)
    for _ in range(3):
        list(tf.data.Dataset.range(4).map(traced))
    assert len(traces) == 4 * before


@claim("TFD324", "A `cache` in it is filled in every pass, and thrown away before anybody reads it")
def a_rebuilt_cache_is_filled_in_every_pass() -> None:
    rebuilt, kept = Counted(), Counted()
    for _ in range(3):
        list(tf.data.Dataset.range(10).map(rebuilt).cache())
    once = tf.data.Dataset.range(10).map(kept).cache()
    for _ in range(3):
        list(once)
    assert (rebuilt.times, kept.times) == (30, 10)


@claim("TFD324", "`shuffle` gives another order in each epoch by itself")
def shuffle_gives_another_order() -> None:
    ds = tf.data.Dataset.range(64)
    assert len(epochs(ds.shuffle(64))) == 3
    assert len(epochs(ds.shuffle(64, reshuffle_each_iteration=False))) == 1


@claim("TFD324", "what is built once keeps its state (a seeded order, a cache) from epoch to epoch")
def a_seeded_order_goes_on() -> None:
    def build() -> tf.data.Dataset:
        return tf.data.Dataset.range(64).shuffle(64, seed=1)

    assert len(epochs(build())) == 3
    assert len({tuple(numbers(build())) for _ in range(3)}) == 1
