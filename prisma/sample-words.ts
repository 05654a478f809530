export const FINISHES = [
  "Speckled", "Slate blue", "Moss green", "Oatmeal", "Chalk white", "Indigo", "Old rose", "Harvest stripe", "Gingham", "Marbled",
  "Botanical", "Starry", "Woodland", "Lighthouse", "Pressed fern", "Swallow", "Bramble", "Cornflower", "Charcoal", "Polka dot",
  "Rose garden", "Winter berry", "Beekeeper", "Regatta", "Orchard", "Tartan", "Meadow", "Seashell",
] as const;

/** What is sold, with its retail price in pence. */
export const GOODS = [
  ["mug", 425], ["cereal bowl", 545], ["egg cup, pair", 395], ["butter dish", 1095], ["milk jug", 845], ["teapot, 1 l", 1695],
  ["napkin, set of 4", 895], ["tea towel", 365], ["apron", 1250], ["oven glove", 745], ["bunting, 3 m", 495], ["party candles, 12", 165],
  ["pillar candle", 425], ["tea light holder", 255], ["lantern, small", 755], ["lantern, large", 1495], ["photo frame", 655], ["wall hook", 295],
  ["key rack", 995], ["doorstop", 845], ["draught excluder", 1145], ["storage tin, set of 3", 1275], ["cake tin", 895], ["biscuit cutter, set of 6", 325],
  ["recipe box", 995], ["notebook", 375], ["pencils, box of 6", 245], ["gift wrap, 5 sheets", 295], ["gift tags, 12", 125], ["ribbon, 10 m", 165],
  ["luggage tag", 195], ["lunch bag", 165], ["shopping bag", 195], ["hot water bottle", 495], ["bath mat", 1450], ["soap dish", 345],
  ["hanging heart", 125], ["paper star", 85], ["glass bauble", 165], ["wreath", 1295], ["seed markers, 6", 265], ["watering can", 1250],
  ["plant pot", 385], ["bird feeder", 695], ["jigsaw, 500 pieces", 995], ["skittles", 825], ["spinning top", 145], ["wooden train", 1695],
] as const satisfies readonly (readonly [string, number])[];

/** Texts that a screen, a log and a spreadsheet must survive: other scripts, hidden and look-alike characters, markup, length. */
export const ODD_TITLES = [
  "Tea towel “Überraschung”, 70 × 50 cm",
  "Café au lait bowl, crème brûlée glaze",
  "Gift\u200B tags, kraft, set of 24",
  "Birthday bunting 🎉 3 m",
  "Mug \u202Egnihtemos\u202C, stoneware",
  "和紙 washi tape, 5 rolls",
  "Frame 5\" × 7\", <b>oak</b> & glass",
  "Candle, \u0422ea rose, 220 g",
  "  Door sign,  No 7 ",
  "Advent calendar of twenty-four drawers in painted beech, each drawer numbered by hand, with a brass hanging plate, a cotton bag for the winter and a card that tells how to lay it out so that no drawer is opened twice by the smaller of two children",
] as const;

export const FIRST_NAMES = [
  "Odette", "Rufus", "Imogen", "Callum", "Priya", "Tobias", "Nerys", "Ewan", "Marguerite", "Idris", "Saskia", "Femi", "Beatrix", "Lorcan", "Amina",
  "Hugo", "Ottilie", "Dafydd", "Yusuf", "Clementine", "Anselm", "Niamh", "Leopold", "Zainab", "Piers", "Rosalind", "Kit", "Ingrid", "Mateusz", "Thea",
] as const;

export const LAST_NAMES = [
  "Marlowe", "Ashdown", "Pemberton", "Okafor", "Llewellyn", "Fairweather", "Bhatt", "Carrick", "Hollis", "Szymański", "Thistlewood", "Moreau", "Quayle",
  "Abara", "Winterbourne", "Lindqvist", "Drummond", "Hosseini", "Peverell", "Gallagher", "Nightingale", "Rahman", "Tregenza", "Vance", "Oyelaran", "Birch",
] as const;

export const SHOP_WORDS = [
  "The Corner Cupboard", "Fern & Feather", "Harbour Lights", "Old Mill Gifts", "Paper Moon", "The Potting Shed", "Quill & Co.", "Bluebell Lane", "North Quay Stores",
  "The Tin Robin", "Marigold House", "Copper Kettle", "Hearth & Hound", "The Lantern Room", "Salt & Thyme", "Little Ivy", "Wren Street", "The Button Tin",
] as const;

export const ODD_CUSTOMERS = [
  "Zoë Ångström-Núñez", "O’Brien & Søns", "王小明 Trading", "Nguyễn Thị Hạnh", "Mira \u200FLevi", "=SUM(A1:A9) Ltd", "A. <script>alert(1)</script>",
  "Ottilie von und zu Hohenfels-Langenbrunn, Interiors & Gifts of the Upper Town, proprietor since the third of March",
] as const;

export const COUNTRIES = ["United Kingdom", "United Kingdom", "United Kingdom", "United Kingdom", "United Kingdom", "United Kingdom", "Ireland", "France", "Germany", "Netherlands", "Norway", "Portugal"] as const;
