CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT,
  plan TEXT NOT NULL,
  joined TEXT NOT NULL
);
INSERT INTO members VALUES
  (1, 'Agnes Holt', 'agnes@holt.example', 'family', '2021-04-10'),
  (2, 'Bruno Keller', 'bruno.keller@post.example', 'single', '2022-09-01'),
  (3, 'Chiara Santi', 'chiara@santi.example', 'student', '2025-10-14'),
  (4, 'Dele Okoro', 'dele@okoro.example', 'single', '2023-03-22'),
  (5, 'Edda Brandt', NULL, 'single', '2019-06-02'),
  (6, 'Farid Aziz', 'farid@aziz.example', 'family', '2024-05-30'),
  (7, 'Greta Holt', 'greta@holt.example', 'student', '2025-11-03'),
  (8, 'Hugo Marin', 'hugo@marin.example', 'single', '2026-01-17'),
  (9, 'Ida Novak', NULL, 'family', '2020-08-25'),
  (10, 'Jun Mori', 'jun@mori.example', 'student', '2026-02-08');

CREATE TABLE bikes (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES members (id),
  make TEXT NOT NULL,
  colour TEXT NOT NULL,
  frame_number TEXT NOT NULL
);
INSERT INTO bikes VALUES
  (1, 1, 'Gazelle', 'green', 'GZ-40211'),
  (2, 1, 'Puky', 'red', 'PK-00917'),
  (3, 2, 'Diamant', 'black', 'DM-77120'),
  (4, 3, 'Peugeot', 'blue', 'PG-31555'),
  (5, 4, 'Brompton', 'orange', 'BR-90013'),
  (6, 5, 'Batavus', 'black', 'BT-12408'),
  (7, 6, 'Gazelle', 'blue', 'GZ-51876'),
  (8, 7, 'Diamant', 'white', 'DM-80344'),
  (9, 8, 'Surly', 'grey', 'SU-22719'),
  (10, 9, 'Batavus', 'red', 'BT-13990');

CREATE TABLE repairs (
  id INTEGER PRIMARY KEY,
  bike_id INTEGER NOT NULL REFERENCES bikes (id),
  opened TEXT NOT NULL,
  closed TEXT,
  problem TEXT NOT NULL,
  mechanic TEXT NOT NULL,
  cost REAL
);
INSERT INTO repairs VALUES
  (1, 1, '2026-02-03', '2026-02-05', 'flat rear tyre', 'Tom', 9.5),
  (2, 3, '2026-02-04', '2026-02-12', 'worn chain', 'Priya', 32),
  (3, 5, '2026-02-10', '2026-02-11', 'loose hinge', 'Jonas', 12),
  (4, 6, '2026-02-17', '2026-02-24', 'broken spoke', 'Tom', 18),
  (5, 7, '2026-02-19', '2026-02-26', 'brake cable', 'Priya', 14.5),
  (6, 4, '2026-02-26', '2026-03-03', 'bent wheel', 'Tom', 45),
  (7, 8, '2026-03-03', '2026-03-06', 'worn brake pads', 'Jonas', 16),
  (8, 9, '2026-03-05', NULL, 'creaking crank', 'Priya', NULL),
  (9, 10, '2026-03-10', NULL, 'flat front tyre', 'Tom', NULL),
  (10, 3, '2026-03-11', NULL, 'gears skip', 'Priya', NULL),
  (11, 2, '2026-03-12', '2026-03-13', 'loose saddle', 'Jonas', 4),
  (12, 7, '2026-03-13', NULL, 'rear light dead', 'Jonas', NULL);

CREATE TABLE parts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  supplier TEXT NOT NULL,
  stock INTEGER NOT NULL,
  reorder_at INTEGER NOT NULL,
  price REAL NOT NULL
);
INSERT INTO parts VALUES
  (1, 'inner tube 28', 'Velowerk', 34, 20, 6),
  (2, 'inner tube 20', 'Velowerk', 8, 10, 5.5),
  (3, 'brake pads', 'Velowerk', 3, 12, 8),
  (4, 'chain 8-speed', 'Radhaus Nord', 6, 4, 18),
  (5, 'brake cable', 'Velowerk', 21, 10, 3.5),
  (6, 'spoke 262', 'Radhaus Nord', 140, 60, 0.6),
  (7, 'rear light', 'Velowerk', 0, 5, 14),
  (8, 'saddle', 'Radhaus Nord', 2, 2, 22),
  (9, 'bottle cage', 'Radhaus Nord', 9, 3, 7);

CREATE TABLE sales (
  id INTEGER PRIMARY KEY,
  part_id INTEGER NOT NULL REFERENCES parts (id),
  sold_on TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  unit_price REAL NOT NULL
);
INSERT INTO sales VALUES
  (1, 1, '2026-02-03', 2, 6),
  (2, 3, '2026-02-06', 4, 8),
  (3, 4, '2026-02-12', 1, 18),
  (4, 6, '2026-02-17', 3, 0.6),
  (5, 5, '2026-02-19', 2, 3.5),
  (6, 1, '2026-02-28', 5, 6),
  (7, 9, '2026-03-03', 1, 7),
  (8, 3, '2026-03-06', 2, 8),
  (9, 7, '2026-03-07', 3, 14),
  (10, 1, '2026-03-10', 1, 6),
  (11, 2, '2026-03-12', 2, 5.5),
  (12, 8, '2026-03-14', 1, 22);
