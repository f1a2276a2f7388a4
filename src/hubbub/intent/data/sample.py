"""Examples of an imaginary bicycle shop: intent -> texts, "" for out of scope."""

SAMPLE: dict[str, tuple[str, ...]] = {
    "opening_hours": (
        "when do you open on saturday",
        "are you open on sunday mornings",
        "what time do you close today",
        "opening hours please",
        "how late can i come by tonight",
        "do you close for lunch",
    ),
    "order_status": (
        "where is my parcel",
        "has my order been sent yet",
        "when will the wheels i ordered arrive",
        "track my order please",
        "my parcel still is not here",
        "what is the status of my order",
    ),
    "book_repair": (
        "i would like to have my brakes fixed",
        "can i bring my bike in for a repair",
        "book a repair for thursday",
        "my chain is broken, can you mend it",
        "do you have time to fix a flat tyre",
        "i need an appointment at the workshop",
    ),
    "return_item": (
        "i want to send the helmet back",
        "how do i return a jacket that is too small",
        "can i get my money back for the lamp",
        "the saddle does not fit, i want to return it",
        "what is your return policy",
        "please refund the pump i bought",
    ),
    "": (
        "who won the match last night",
        "write a poem about the sea",
        "how tall is the highest mountain",
        "what should i cook for dinner",
        "do you sell cinema tickets",
        "is it going to rain on monday",
    ),
}
