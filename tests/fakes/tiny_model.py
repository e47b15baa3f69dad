"""Tiny causal language models with random weights and a tokeniser trained on a few sentences."""

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    AutoModelForCausalLM,
    GPT2Config,
    LlamaConfig,
    MambaConfig,
    MistralConfig,
    PreTrainedTokenizerFast,
)

SENTENCES = [
    "Copper pans heat evenly. They react with sour food, so most are lined with tin.",
    "Night trains returned to the coast line in May. Two leave each evening.",
    "段 § ¶ ※ · † ‡ 段段 §§ ¶¶ ※※ ·· ††",
    "今天下雨。我在家！你呢？ 今天下雨。",
]
SHAPE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}


def save_tokenizer(folder, sentences=SENTENCES):
    """Byte-level BPE, as GPT-2 and Llama 3 have it, with <s> before every text."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<s>", "<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences * 4, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="<|endoftext|>")
    fast.save_pretrained(folder)
    return fast


def config(kind, vocabulary, context=2048):
    """The shape of a model: "llama", "gpt2" (learnt positions),
    "mistral" (attention within a sliding window) or "mamba"."""
    of = {"vocab_size": vocabulary, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": None}
    if kind == "gpt2":
        return GPT2Config(n_embd=16, n_layer=2, n_head=2, n_positions=context, **of)
    if kind == "mistral":
        return MistralConfig(num_key_value_heads=1, sliding_window=24, max_position_embeddings=context, **SHAPE, **of)
    if kind == "mamba":
        return MambaConfig(hidden_size=16, num_hidden_layers=2, state_size=8, **of)
    return LlamaConfig(num_key_value_heads=1, max_position_embeddings=context, **SHAPE, **of)


def save_model(folder, kind="llama", context=2048):
    """Weights and tokeniser, as `from_pretrained` reads them."""
    torch.set_num_threads(1)
    torch.manual_seed(7)
    tokenizer = save_tokenizer(folder)
    model = AutoModelForCausalLM.from_config(config(kind, len(tokenizer), context))
    for weights in model.parameters():  # larger than usual, so that what stands before a token matters to it
        torch.nn.init.normal_(weights, std=0.5)
    model.eval().save_pretrained(folder)
    return str(folder)
