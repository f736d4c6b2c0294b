

class Toy(Known):
    """RFC 9999 §1."""

    oid = ObjectIdentifier("2.999.7")
    color: Part[str] = part("color", "The color.")
    wheels: Part[int | None] = part("wheels", "The number of wheels, or None.")
    loud: Part[bool] = part("loud", "Whether it makes noise.")

    def __init__(self, color: str, wheels: int | None, loud: bool) -> None:
        self._color = color
        self._wheels = wheels
        self._loud = loud


__all__ += ["Toy"]
