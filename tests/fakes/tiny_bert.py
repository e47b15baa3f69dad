"""A BERT of two small layers with random weights, whole with its tokenizer, in a folder."""

from pathlib import Path

VOCABULARY = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *(chr(code) for code in range(33, 127)),
    *(f"##{chr(code)}" for code in range(97, 123)),
    *("tea", "is", "hot", "ice", "cold", "##ing", "zürich", "é", "😀", "##😀", "漢"),
]


def tiny_bert(folder: Path, *, longest: int = 32, prompts: dict[str, str] | None = None) -> Path:
    """Write a model of 16 numbers a vector that reads `longest` tokens at once. The same each time."""
    import torch
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    vocabulary = {token: number for number, token in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=50))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    )
    special = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=longest, **special)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=longest,
        initializer_range=0.5,  # large enough for tokens to see each other
    )
    encoder = folder / "encoder"
    BertModel(config).eval().save_pretrained(encoder)
    fast.save_pretrained(encoder)
    model = SentenceTransformer(str(encoder), device="cpu", prompts=prompts)  # adds the mean over tokens
    model.save(str(folder / "model"))
    return folder / "model"
