; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=llvm_large_jump_tables -S %s | FileCheck %s

; 512 cases still get a table.
; CHECK: define i32 @most(i32 %x) {
define i32 @most(i32 %x) {
  switch i32 %x, label %other [
    i32 0, label %found i32 1, label %found i32 2, label %found i32 3, label %found i32 4, label %found i32 5, label %found
    i32 6, label %found i32 7, label %found i32 8, label %found i32 9, label %found i32 10, label %found i32 11, label %found
    i32 12, label %found i32 13, label %found i32 14, label %found i32 15, label %found i32 16, label %found i32 17, label %found
    i32 18, label %found i32 19, label %found i32 20, label %found i32 21, label %found i32 22, label %found i32 23, label %found
    i32 24, label %found i32 25, label %found i32 26, label %found i32 27, label %found i32 28, label %found i32 29, label %found
    i32 30, label %found i32 31, label %found i32 32, label %found i32 33, label %found i32 34, label %found i32 35, label %found
    i32 36, label %found i32 37, label %found i32 38, label %found i32 39, label %found i32 40, label %found i32 41, label %found
    i32 42, label %found i32 43, label %found i32 44, label %found i32 45, label %found i32 46, label %found i32 47, label %found
    i32 48, label %found i32 49, label %found i32 50, label %found i32 51, label %found i32 52, label %found i32 53, label %found
    i32 54, label %found i32 55, label %found i32 56, label %found i32 57, label %found i32 58, label %found i32 59, label %found
    i32 60, label %found i32 61, label %found i32 62, label %found i32 63, label %found i32 64, label %found i32 65, label %found
    i32 66, label %found i32 67, label %found i32 68, label %found i32 69, label %found i32 70, label %found i32 71, label %found
    i32 72, label %found i32 73, label %found i32 74, label %found i32 75, label %found i32 76, label %found i32 77, label %found
    i32 78, label %found i32 79, label %found i32 80, label %found i32 81, label %found i32 82, label %found i32 83, label %found
    i32 84, label %found i32 85, label %found i32 86, label %found i32 87, label %found i32 88, label %found i32 89, label %found
    i32 90, label %found i32 91, label %found i32 92, label %found i32 93, label %found i32 94, label %found i32 95, label %found
    i32 96, label %found i32 97, label %found i32 98, label %found i32 99, label %found i32 100, label %found i32 101, label %found
    i32 102, label %found i32 103, label %found i32 104, label %found i32 105, label %found i32 106, label %found i32 107, label %found
    i32 108, label %found i32 109, label %found i32 110, label %found i32 111, label %found i32 112, label %found i32 113, label %found
    i32 114, label %found i32 115, label %found i32 116, label %found i32 117, label %found i32 118, label %found i32 119, label %found
    i32 120, label %found i32 121, label %found i32 122, label %found i32 123, label %found i32 124, label %found i32 125, label %found
    i32 126, label %found i32 127, label %found i32 128, label %found i32 129, label %found i32 130, label %found i32 131, label %found
    i32 132, label %found i32 133, label %found i32 134, label %found i32 135, label %found i32 136, label %found i32 137, label %found
    i32 138, label %found i32 139, label %found i32 140, label %found i32 141, label %found i32 142, label %found i32 143, label %found
    i32 144, label %found i32 145, label %found i32 146, label %found i32 147, label %found i32 148, label %found i32 149, label %found
    i32 150, label %found i32 151, label %found i32 152, label %found i32 153, label %found i32 154, label %found i32 155, label %found
    i32 156, label %found i32 157, label %found i32 158, label %found i32 159, label %found i32 160, label %found i32 161, label %found
    i32 162, label %found i32 163, label %found i32 164, label %found i32 165, label %found i32 166, label %found i32 167, label %found
    i32 168, label %found i32 169, label %found i32 170, label %found i32 171, label %found i32 172, label %found i32 173, label %found
    i32 174, label %found i32 175, label %found i32 176, label %found i32 177, label %found i32 178, label %found i32 179, label %found
    i32 180, label %found i32 181, label %found i32 182, label %found i32 183, label %found i32 184, label %found i32 185, label %found
    i32 186, label %found i32 187, label %found i32 188, label %found i32 189, label %found i32 190, label %found i32 191, label %found
    i32 192, label %found i32 193, label %found i32 194, label %found i32 195, label %found i32 196, label %found i32 197, label %found
    i32 198, label %found i32 199, label %found i32 200, label %found i32 201, label %found i32 202, label %found i32 203, label %found
    i32 204, label %found i32 205, label %found i32 206, label %found i32 207, label %found i32 208, label %found i32 209, label %found
    i32 210, label %found i32 211, label %found i32 212, label %found i32 213, label %found i32 214, label %found i32 215, label %found
    i32 216, label %found i32 217, label %found i32 218, label %found i32 219, label %found i32 220, label %found i32 221, label %found
    i32 222, label %found i32 223, label %found i32 224, label %found i32 225, label %found i32 226, label %found i32 227, label %found
    i32 228, label %found i32 229, label %found i32 230, label %found i32 231, label %found i32 232, label %found i32 233, label %found
    i32 234, label %found i32 235, label %found i32 236, label %found i32 237, label %found i32 238, label %found i32 239, label %found
    i32 240, label %found i32 241, label %found i32 242, label %found i32 243, label %found i32 244, label %found i32 245, label %found
    i32 246, label %found i32 247, label %found i32 248, label %found i32 249, label %found i32 250, label %found i32 251, label %found
    i32 252, label %found i32 253, label %found i32 254, label %found i32 255, label %found i32 256, label %found i32 257, label %found
    i32 258, label %found i32 259, label %found i32 260, label %found i32 261, label %found i32 262, label %found i32 263, label %found
    i32 264, label %found i32 265, label %found i32 266, label %found i32 267, label %found i32 268, label %found i32 269, label %found
    i32 270, label %found i32 271, label %found i32 272, label %found i32 273, label %found i32 274, label %found i32 275, label %found
    i32 276, label %found i32 277, label %found i32 278, label %found i32 279, label %found i32 280, label %found i32 281, label %found
    i32 282, label %found i32 283, label %found i32 284, label %found i32 285, label %found i32 286, label %found i32 287, label %found
    i32 288, label %found i32 289, label %found i32 290, label %found i32 291, label %found i32 292, label %found i32 293, label %found
    i32 294, label %found i32 295, label %found i32 296, label %found i32 297, label %found i32 298, label %found i32 299, label %found
    i32 300, label %found i32 301, label %found i32 302, label %found i32 303, label %found i32 304, label %found i32 305, label %found
    i32 306, label %found i32 307, label %found i32 308, label %found i32 309, label %found i32 310, label %found i32 311, label %found
    i32 312, label %found i32 313, label %found i32 314, label %found i32 315, label %found i32 316, label %found i32 317, label %found
    i32 318, label %found i32 319, label %found i32 320, label %found i32 321, label %found i32 322, label %found i32 323, label %found
    i32 324, label %found i32 325, label %found i32 326, label %found i32 327, label %found i32 328, label %found i32 329, label %found
    i32 330, label %found i32 331, label %found i32 332, label %found i32 333, label %found i32 334, label %found i32 335, label %found
    i32 336, label %found i32 337, label %found i32 338, label %found i32 339, label %found i32 340, label %found i32 341, label %found
    i32 342, label %found i32 343, label %found i32 344, label %found i32 345, label %found i32 346, label %found i32 347, label %found
    i32 348, label %found i32 349, label %found i32 350, label %found i32 351, label %found i32 352, label %found i32 353, label %found
    i32 354, label %found i32 355, label %found i32 356, label %found i32 357, label %found i32 358, label %found i32 359, label %found
    i32 360, label %found i32 361, label %found i32 362, label %found i32 363, label %found i32 364, label %found i32 365, label %found
    i32 366, label %found i32 367, label %found i32 368, label %found i32 369, label %found i32 370, label %found i32 371, label %found
    i32 372, label %found i32 373, label %found i32 374, label %found i32 375, label %found i32 376, label %found i32 377, label %found
    i32 378, label %found i32 379, label %found i32 380, label %found i32 381, label %found i32 382, label %found i32 383, label %found
    i32 384, label %found i32 385, label %found i32 386, label %found i32 387, label %found i32 388, label %found i32 389, label %found
    i32 390, label %found i32 391, label %found i32 392, label %found i32 393, label %found i32 394, label %found i32 395, label %found
    i32 396, label %found i32 397, label %found i32 398, label %found i32 399, label %found i32 400, label %found i32 401, label %found
    i32 402, label %found i32 403, label %found i32 404, label %found i32 405, label %found i32 406, label %found i32 407, label %found
    i32 408, label %found i32 409, label %found i32 410, label %found i32 411, label %found i32 412, label %found i32 413, label %found
    i32 414, label %found i32 415, label %found i32 416, label %found i32 417, label %found i32 418, label %found i32 419, label %found
    i32 420, label %found i32 421, label %found i32 422, label %found i32 423, label %found i32 424, label %found i32 425, label %found
    i32 426, label %found i32 427, label %found i32 428, label %found i32 429, label %found i32 430, label %found i32 431, label %found
    i32 432, label %found i32 433, label %found i32 434, label %found i32 435, label %found i32 436, label %found i32 437, label %found
    i32 438, label %found i32 439, label %found i32 440, label %found i32 441, label %found i32 442, label %found i32 443, label %found
    i32 444, label %found i32 445, label %found i32 446, label %found i32 447, label %found i32 448, label %found i32 449, label %found
    i32 450, label %found i32 451, label %found i32 452, label %found i32 453, label %found i32 454, label %found i32 455, label %found
    i32 456, label %found i32 457, label %found i32 458, label %found i32 459, label %found i32 460, label %found i32 461, label %found
    i32 462, label %found i32 463, label %found i32 464, label %found i32 465, label %found i32 466, label %found i32 467, label %found
    i32 468, label %found i32 469, label %found i32 470, label %found i32 471, label %found i32 472, label %found i32 473, label %found
    i32 474, label %found i32 475, label %found i32 476, label %found i32 477, label %found i32 478, label %found i32 479, label %found
    i32 480, label %found i32 481, label %found i32 482, label %found i32 483, label %found i32 484, label %found i32 485, label %found
    i32 486, label %found i32 487, label %found i32 488, label %found i32 489, label %found i32 490, label %found i32 491, label %found
    i32 492, label %found i32 493, label %found i32 494, label %found i32 495, label %found i32 496, label %found i32 497, label %found
    i32 498, label %found i32 499, label %found i32 500, label %found i32 501, label %found i32 502, label %found i32 503, label %found
    i32 504, label %found i32 505, label %found i32 506, label %found i32 507, label %found i32 508, label %found i32 509, label %found
    i32 510, label %found i32 511, label %found
  ]
found:
  ret i32 1
other:
  ret i32 0
}

; 513 do not.
; CHECK: define i32 @too_many(i32 %x) #[[NONE:[0-9]+]] {
define i32 @too_many(i32 %x) {
  switch i32 %x, label %other [
    i32 0, label %found i32 1, label %found i32 2, label %found i32 3, label %found i32 4, label %found i32 5, label %found
    i32 6, label %found i32 7, label %found i32 8, label %found i32 9, label %found i32 10, label %found i32 11, label %found
    i32 12, label %found i32 13, label %found i32 14, label %found i32 15, label %found i32 16, label %found i32 17, label %found
    i32 18, label %found i32 19, label %found i32 20, label %found i32 21, label %found i32 22, label %found i32 23, label %found
    i32 24, label %found i32 25, label %found i32 26, label %found i32 27, label %found i32 28, label %found i32 29, label %found
    i32 30, label %found i32 31, label %found i32 32, label %found i32 33, label %found i32 34, label %found i32 35, label %found
    i32 36, label %found i32 37, label %found i32 38, label %found i32 39, label %found i32 40, label %found i32 41, label %found
    i32 42, label %found i32 43, label %found i32 44, label %found i32 45, label %found i32 46, label %found i32 47, label %found
    i32 48, label %found i32 49, label %found i32 50, label %found i32 51, label %found i32 52, label %found i32 53, label %found
    i32 54, label %found i32 55, label %found i32 56, label %found i32 57, label %found i32 58, label %found i32 59, label %found
    i32 60, label %found i32 61, label %found i32 62, label %found i32 63, label %found i32 64, label %found i32 65, label %found
    i32 66, label %found i32 67, label %found i32 68, label %found i32 69, label %found i32 70, label %found i32 71, label %found
    i32 72, label %found i32 73, label %found i32 74, label %found i32 75, label %found i32 76, label %found i32 77, label %found
    i32 78, label %found i32 79, label %found i32 80, label %found i32 81, label %found i32 82, label %found i32 83, label %found
    i32 84, label %found i32 85, label %found i32 86, label %found i32 87, label %found i32 88, label %found i32 89, label %found
    i32 90, label %found i32 91, label %found i32 92, label %found i32 93, label %found i32 94, label %found i32 95, label %found
    i32 96, label %found i32 97, label %found i32 98, label %found i32 99, label %found i32 100, label %found i32 101, label %found
    i32 102, label %found i32 103, label %found i32 104, label %found i32 105, label %found i32 106, label %found i32 107, label %found
    i32 108, label %found i32 109, label %found i32 110, label %found i32 111, label %found i32 112, label %found i32 113, label %found
    i32 114, label %found i32 115, label %found i32 116, label %found i32 117, label %found i32 118, label %found i32 119, label %found
    i32 120, label %found i32 121, label %found i32 122, label %found i32 123, label %found i32 124, label %found i32 125, label %found
    i32 126, label %found i32 127, label %found i32 128, label %found i32 129, label %found i32 130, label %found i32 131, label %found
    i32 132, label %found i32 133, label %found i32 134, label %found i32 135, label %found i32 136, label %found i32 137, label %found
    i32 138, label %found i32 139, label %found i32 140, label %found i32 141, label %found i32 142, label %found i32 143, label %found
    i32 144, label %found i32 145, label %found i32 146, label %found i32 147, label %found i32 148, label %found i32 149, label %found
    i32 150, label %found i32 151, label %found i32 152, label %found i32 153, label %found i32 154, label %found i32 155, label %found
    i32 156, label %found i32 157, label %found i32 158, label %found i32 159, label %found i32 160, label %found i32 161, label %found
    i32 162, label %found i32 163, label %found i32 164, label %found i32 165, label %found i32 166, label %found i32 167, label %found
    i32 168, label %found i32 169, label %found i32 170, label %found i32 171, label %found i32 172, label %found i32 173, label %found
    i32 174, label %found i32 175, label %found i32 176, label %found i32 177, label %found i32 178, label %found i32 179, label %found
    i32 180, label %found i32 181, label %found i32 182, label %found i32 183, label %found i32 184, label %found i32 185, label %found
    i32 186, label %found i32 187, label %found i32 188, label %found i32 189, label %found i32 190, label %found i32 191, label %found
    i32 192, label %found i32 193, label %found i32 194, label %found i32 195, label %found i32 196, label %found i32 197, label %found
    i32 198, label %found i32 199, label %found i32 200, label %found i32 201, label %found i32 202, label %found i32 203, label %found
    i32 204, label %found i32 205, label %found i32 206, label %found i32 207, label %found i32 208, label %found i32 209, label %found
    i32 210, label %found i32 211, label %found i32 212, label %found i32 213, label %found i32 214, label %found i32 215, label %found
    i32 216, label %found i32 217, label %found i32 218, label %found i32 219, label %found i32 220, label %found i32 221, label %found
    i32 222, label %found i32 223, label %found i32 224, label %found i32 225, label %found i32 226, label %found i32 227, label %found
    i32 228, label %found i32 229, label %found i32 230, label %found i32 231, label %found i32 232, label %found i32 233, label %found
    i32 234, label %found i32 235, label %found i32 236, label %found i32 237, label %found i32 238, label %found i32 239, label %found
    i32 240, label %found i32 241, label %found i32 242, label %found i32 243, label %found i32 244, label %found i32 245, label %found
    i32 246, label %found i32 247, label %found i32 248, label %found i32 249, label %found i32 250, label %found i32 251, label %found
    i32 252, label %found i32 253, label %found i32 254, label %found i32 255, label %found i32 256, label %found i32 257, label %found
    i32 258, label %found i32 259, label %found i32 260, label %found i32 261, label %found i32 262, label %found i32 263, label %found
    i32 264, label %found i32 265, label %found i32 266, label %found i32 267, label %found i32 268, label %found i32 269, label %found
    i32 270, label %found i32 271, label %found i32 272, label %found i32 273, label %found i32 274, label %found i32 275, label %found
    i32 276, label %found i32 277, label %found i32 278, label %found i32 279, label %found i32 280, label %found i32 281, label %found
    i32 282, label %found i32 283, label %found i32 284, label %found i32 285, label %found i32 286, label %found i32 287, label %found
    i32 288, label %found i32 289, label %found i32 290, label %found i32 291, label %found i32 292, label %found i32 293, label %found
    i32 294, label %found i32 295, label %found i32 296, label %found i32 297, label %found i32 298, label %found i32 299, label %found
    i32 300, label %found i32 301, label %found i32 302, label %found i32 303, label %found i32 304, label %found i32 305, label %found
    i32 306, label %found i32 307, label %found i32 308, label %found i32 309, label %found i32 310, label %found i32 311, label %found
    i32 312, label %found i32 313, label %found i32 314, label %found i32 315, label %found i32 316, label %found i32 317, label %found
    i32 318, label %found i32 319, label %found i32 320, label %found i32 321, label %found i32 322, label %found i32 323, label %found
    i32 324, label %found i32 325, label %found i32 326, label %found i32 327, label %found i32 328, label %found i32 329, label %found
    i32 330, label %found i32 331, label %found i32 332, label %found i32 333, label %found i32 334, label %found i32 335, label %found
    i32 336, label %found i32 337, label %found i32 338, label %found i32 339, label %found i32 340, label %found i32 341, label %found
    i32 342, label %found i32 343, label %found i32 344, label %found i32 345, label %found i32 346, label %found i32 347, label %found
    i32 348, label %found i32 349, label %found i32 350, label %found i32 351, label %found i32 352, label %found i32 353, label %found
    i32 354, label %found i32 355, label %found i32 356, label %found i32 357, label %found i32 358, label %found i32 359, label %found
    i32 360, label %found i32 361, label %found i32 362, label %found i32 363, label %found i32 364, label %found i32 365, label %found
    i32 366, label %found i32 367, label %found i32 368, label %found i32 369, label %found i32 370, label %found i32 371, label %found
    i32 372, label %found i32 373, label %found i32 374, label %found i32 375, label %found i32 376, label %found i32 377, label %found
    i32 378, label %found i32 379, label %found i32 380, label %found i32 381, label %found i32 382, label %found i32 383, label %found
    i32 384, label %found i32 385, label %found i32 386, label %found i32 387, label %found i32 388, label %found i32 389, label %found
    i32 390, label %found i32 391, label %found i32 392, label %found i32 393, label %found i32 394, label %found i32 395, label %found
    i32 396, label %found i32 397, label %found i32 398, label %found i32 399, label %found i32 400, label %found i32 401, label %found
    i32 402, label %found i32 403, label %found i32 404, label %found i32 405, label %found i32 406, label %found i32 407, label %found
    i32 408, label %found i32 409, label %found i32 410, label %found i32 411, label %found i32 412, label %found i32 413, label %found
    i32 414, label %found i32 415, label %found i32 416, label %found i32 417, label %found i32 418, label %found i32 419, label %found
    i32 420, label %found i32 421, label %found i32 422, label %found i32 423, label %found i32 424, label %found i32 425, label %found
    i32 426, label %found i32 427, label %found i32 428, label %found i32 429, label %found i32 430, label %found i32 431, label %found
    i32 432, label %found i32 433, label %found i32 434, label %found i32 435, label %found i32 436, label %found i32 437, label %found
    i32 438, label %found i32 439, label %found i32 440, label %found i32 441, label %found i32 442, label %found i32 443, label %found
    i32 444, label %found i32 445, label %found i32 446, label %found i32 447, label %found i32 448, label %found i32 449, label %found
    i32 450, label %found i32 451, label %found i32 452, label %found i32 453, label %found i32 454, label %found i32 455, label %found
    i32 456, label %found i32 457, label %found i32 458, label %found i32 459, label %found i32 460, label %found i32 461, label %found
    i32 462, label %found i32 463, label %found i32 464, label %found i32 465, label %found i32 466, label %found i32 467, label %found
    i32 468, label %found i32 469, label %found i32 470, label %found i32 471, label %found i32 472, label %found i32 473, label %found
    i32 474, label %found i32 475, label %found i32 476, label %found i32 477, label %found i32 478, label %found i32 479, label %found
    i32 480, label %found i32 481, label %found i32 482, label %found i32 483, label %found i32 484, label %found i32 485, label %found
    i32 486, label %found i32 487, label %found i32 488, label %found i32 489, label %found i32 490, label %found i32 491, label %found
    i32 492, label %found i32 493, label %found i32 494, label %found i32 495, label %found i32 496, label %found i32 497, label %found
    i32 498, label %found i32 499, label %found i32 500, label %found i32 501, label %found i32 502, label %found i32 503, label %found
    i32 504, label %found i32 505, label %found i32 506, label %found i32 507, label %found i32 508, label %found i32 509, label %found
    i32 510, label %found i32 511, label %found i32 512, label %found
  ]
found:
  ret i32 1
other:
  ret i32 0
}

; The other functions of the module keep theirs.
; CHECK: define i32 @few(i32 %x) {
define i32 @few(i32 %x) {
  switch i32 %x, label %other [
    i32 0, label %found i32 1, label %found i32 2, label %found i32 3, label %found i32 4, label %found i32 5, label %found
  ]
found:
  ret i32 1
other:
  ret i32 0
}

; CHECK: attributes #[[NONE]] = { "no-jump-tables"="true" }
